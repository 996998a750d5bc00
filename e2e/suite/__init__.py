"""The end-to-end suite: manifests in, Route 53 records out, against any cluster that the environment names.

It reads KUBECONFIG, ROUTE53_EMULATOR_URL, DNS_ADDRESS and AWS_ACCOUNT_ID; with DNSAPI_STACK (a local stack's
directory) it also kills and starts services. `make e2e` brings all of that up.
"""
