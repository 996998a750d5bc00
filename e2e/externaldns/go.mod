// Only files of the module are used: its CustomResourceDefinition of DNSEndpoint. Nothing is built, so go.sum has its sums alone.
module dnsapi/e2e/externaldns

go 1.26.0

require sigs.k8s.io/external-dns v0.20.0
