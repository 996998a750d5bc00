{{/* A Role, or with scope "Cluster" a ClusterRole, and its binding: a dict of root, suffix, namespace, rules (YAML text). */}}
{{- define "dnsapi.grant" -}}
{{- $cluster := eq (.scope | default "") "Cluster" }}
{{- $kind := ternary "ClusterRole" "Role" $cluster }}
{{- $name := printf "%s%s" (include "dnsapi.fullname" .root) (.suffix | default "") }}
{{- $namespace := .namespace | default .root.Release.Namespace }}
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ $kind }}
metadata:
  name: {{ $name }}
  {{- if not $cluster }}
  namespace: {{ $namespace }}
  {{- end }}
  labels:
    {{- include "dnsapi.labels" .root | nindent 4 }}
rules:
  {{- .rules | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ $kind }}Binding
metadata:
  name: {{ $name }}
  {{- if not $cluster }}
  namespace: {{ $namespace }}
  {{- end }}
  labels:
    {{- include "dnsapi.labels" .root | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ $kind }}
  name: {{ $name }}
subjects:
  - kind: ServiceAccount
    name: {{ include "dnsapi.account" .root }}
    namespace: {{ .root.Release.Namespace }}
{{- end }}

{{/* What a controller needs in its own namespace to elect a leader. A create cannot be limited to a name. */}}
{{- define "dnsapi.leaseRules" -}}
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [create]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  resourceNames: [dnsapi-{{ .Chart.Name }}]
  verbs: [get, update]
{{- end }}

{{- define "dnsapi.eventRules" -}}
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create, patch]
{{- end }}

{{- define "dnsapi.leaseArgs" -}}
- --lease-namespace={{ .Release.Namespace }}
{{- end }}
