{{/* The NetworkPolicy of a component: who may reach which of its ports and, where chosen, where it may connect to. */}}
{{- define "dnsapi.networkPolicy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "dnsapi.fullname" . }}
  namespace: {{ .Release.Namespace }}
  labels:
    {{- include "dnsapi.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "dnsapi.selectorLabels" . | nindent 6 }}
  {{- $policy := .Values.global.networkPolicy }}
  policyTypes: [Ingress{{ if $policy.egress.enabled }}, Egress{{ end }}]
  ingress:
    - ports:
        - port: {{ .Values.healthPort }}
          protocol: TCP
      {{- with $policy.healthFrom }}
      from:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- if .Values.tls }}
    # The API server's address is that of no pod, so the webhook's port is open to all; TLS guards it.
    - ports:
        - port: {{ .Values.port }}
          protocol: TCP
    {{- end }}
  {{- if $policy.egress.enabled }}
  egress:
    {{- include "dnsapi.egress" . | nindent 4 }}
    {{- if .Values.aws }}
    # The agent of EKS Pod Identity on the pod's own node.
    - to:
        - ipBlock: {cidr: 169.254.170.23/32}
        - ipBlock: {cidr: "fd00:ec2::23/128"}
      ports:
        - {port: 80, protocol: TCP}
    {{- end }}
  {{- end }}
{{- end }}

{{/* Where every pod may connect to: DNS, the API server, what the values add. */}}
{{- define "dnsapi.egress" -}}
{{- $egress := .Values.global.networkPolicy.egress -}}
- ports:
    - {port: 53, protocol: UDP}
    - {port: 53, protocol: TCP}
    {{- range $egress.ports }}
    - {port: {{ . }}, protocol: TCP}
    {{- end }}
{{- with $egress.extra }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Whether the pods of hooks need a policy of their own to connect to anything. */}}
{{- define "dnsapi.hooksNeedPolicy" -}}
{{- if and .Values.global.networkPolicy.enabled .Values.global.networkPolicy.egress.enabled }}yes{{ end }}
{{- end }}

{{/* The specification of that policy; hooks' pods carry the chart's own name as their component. */}}
{{- define "dnsapi.hookPolicySpec" -}}
podSelector:
  matchLabels:
    {{- include "dnsapi.selectorLabels" . | nindent 4 }}
policyTypes: [Egress]
egress:
  {{- include "dnsapi.egress" . | nindent 2 }}
  {{- if .Values.webhook.enabled }}
  # The test asks the webhook itself.
  - to:
      - podSelector:
          matchLabels:
            {{- include "dnsapi.selectorLabels" .Subcharts.webhook | nindent 12 }}
    ports:
      - {port: {{ .Subcharts.webhook.Values.port }}, protocol: TCP}
  {{- end }}
{{- end }}
