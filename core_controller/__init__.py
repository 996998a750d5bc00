"""The core controller: turns Zone and RecordSet claims into the ZoneUnit ledger and projects results back.

It never talks to a DNS provider.
"""
