module dnsapi.example/e2e/cluster/pause

go 1.26.0
