"""Sources: Gateway routes, Services, Ingresses and DNSEndpoints become RecordSets (sources page; seeds 000, 001, 003).

It never talks to a DNS provider: it publishes RecordSet claims into Zones, and the core controller decides about them.
"""
