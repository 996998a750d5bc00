"""The Route 53 controller: brings Route 53 to what the ledger says and reports what it observed.

It never reads the specs of claims and never decides who owns a name.
"""
