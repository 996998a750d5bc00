// Command etcd is the etcd server of the local control plane: the public module's own entry point, nothing else.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
