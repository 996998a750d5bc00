"""One zone at Route 53: the hosted zone and its record sets, brought to what the ledger says.

A pass is gather (caches) → observe (Route 53) → plan (pure) → apply (one write each), repeated at once while there is
progress. The unit is the ZoneUnit and its slices; its status is ours, its spec is read only.

Guarantees, each kept by the module in brackets:
- no write without an intent in `status.provider.state` first [apply, state]
- nothing is deleted or changed that our status or a stored intent does not show to be ours [plan.records]
- nothing is concluded from a failed or partial listing [reading]
- a hosted zone is created once, whatever crashes [plan.hosted_zone]
- one bad record never holds up the others [plan.isolation]
"""
