//go:build tools

// Package gateway pins the Gateway API whose CustomResourceDefinitions the tests install.
package gateway

import _ "sigs.k8s.io/gateway-api/apis/v1"
