"""Least privilege, proven: what the API server's audit log says was done, against what the chart's roles grant.

`python -m e2e.rights <stack directory>` after a run of the suite with DNSAPI_AUDIT=1 fails on any request of our
service accounts that RBAC refused, and on any right that nobody used and no exception explains.
"""
