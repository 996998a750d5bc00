//go:build tools

// Package istio pins the Istio API whose CustomResourceDefinitions the tests install.
package istio

import _ "istio.io/api/networking/v1"
