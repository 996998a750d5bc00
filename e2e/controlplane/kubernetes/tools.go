//go:build tools

// Package controlplane pins the Kubernetes commands that the local control plane builds.
package controlplane

import (
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
)
