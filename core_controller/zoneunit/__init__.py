"""The Core ZoneUnit Controller: claims in, ledger out, results back.

    reconciler ─► gather ─► snapshot ─► plan (pure) ─► apply

One key is one unit (a ZoneUnit and its slices). A pass looks only at the owner names that changed; what changed
is remembered in `dirty`. Nothing here talks to a DNS provider.
"""
