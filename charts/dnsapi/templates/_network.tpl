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
    - ports:
        - {port: 53, protocol: UDP}
        - {port: 53, protocol: TCP}
        {{- range $policy.egress.ports }}
        - {port: {{ . }}, protocol: TCP}
        {{- end }}
    {{- if .Values.aws }}
    # The agent of EKS Pod Identity on the pod's own node.
    - to:
        - ipBlock: {cidr: 169.254.170.23/32}
        - ipBlock: {cidr: "fd00:ec2::23/128"}
      ports:
        - {port: 80, protocol: TCP}
    {{- end }}
    {{- with $policy.egress.extra }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- end }}
{{- end }}
