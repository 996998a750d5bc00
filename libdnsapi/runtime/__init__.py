"""The machinery of a controller: client, caches, queues, loops, leases, events, health.

The only home of kubernetes_asyncio. It knows nothing of DNS: no zone, no record and no provider appears here.
Every guarantee that the services rely on (level-triggered keys, reads after writes, one worker a key, one retry
policy, one leader) is stated in the module that keeps it.
"""
