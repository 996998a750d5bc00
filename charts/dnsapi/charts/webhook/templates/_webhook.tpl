{{- define "webhook.secretName" -}}
{{- .Values.tls.secretName | default (printf "%s-tls" (include "dnsapi.fullname" .)) -}}
{{- end }}

{{/* User names of the service accounts whose writes never come here, separated by commas. */}}
{{- define "webhook.accounts" -}}
{{- $accounts := list }}
{{- $root := . }}
{{- range $component := list "core" "route53" }}
{{- $name := include "dnsapi.accountOf" (dict "root" $root "component" $component) }}
{{- $accounts = append $accounts (printf "system:serviceaccount:%s:%s" $root.Release.Namespace $name) }}
{{- end }}
{{- range .Values.global.extraControllerAccounts }}
{{- $accounts = append $accounts (printf "system:serviceaccount:%s" .) }}
{{- end }}
{{- join "," $accounts -}}
{{- end }}

{{/* The same as a list in CEL. */}}
{{- define "webhook.accountList" -}}
['{{ include "webhook.accounts" . | replace "," "', '" }}']
{{- end }}

{{- define "webhook.caBundle" -}}
{{- if eq .Values.tls.mode "secret" }}{{ .Values.tls.caBundle }}{{ end -}}
{{- end }}

{{- define "webhook.injection" -}}
{{- if eq .Values.tls.mode "certManager" -}}
cert-manager.io/inject-ca-from: {{ .Release.Namespace }}/{{ include "dnsapi.fullname" . }}
{{- end -}}
{{- end }}

{{- define "webhook.host" -}}
{{ include "dnsapi.fullname" . }}.{{ .Release.Namespace }}.svc
{{- end }}

{{- define "webhook.args" -}}
- "--address={{ .Values.global.bindAddress }}:{{ .Values.port }}"
- --no-leader-elect
- --controllers={{ include "webhook.accounts" . }}
- --ledger-writers={{ join "," .Values.ledgerWriters }}
{{- if eq .Values.tls.mode "selfSigned" }}
- --self-signed
- --self-signed-secret={{ .Release.Namespace }}/{{ include "webhook.secretName" . }}
- --self-signed-names={{ include "webhook.host" . }}
- --webhook-configuration={{ include "dnsapi.fullname" . }}
{{- else }}
- --tls-cert-file=/tls/tls.crt
- --tls-key-file=/tls/tls.key
{{- end }}
{{- end }}

{{/* Whole seconds of settings.drain, such as 5, 5s or 1m30s; null is nought, as it is to the webhook. */}}
{{- define "webhook.drainSeconds" -}}
{{- $text := regexReplaceAll "[0-9.]+ms" (include "dnsapi.scalar" (.Values.settings.drain | default "0")) "" -}}
{{- $text = ternary (printf "%ss" $text) $text (regexMatch "^[0-9.]+$" $text) -}}
{{- $seconds := 0 -}}
{{- range $unit, $length := dict "h" 3600 "m" 60 "s" 1 -}}
{{- $seconds = add $seconds (mul $length (regexFind (printf "[0-9]+(\\.[0-9]+)?%s" $unit) $text | trimSuffix $unit | float64 | int)) -}}
{{- end -}}
{{- $seconds -}}
{{- end }}

{{- define "webhook.ports" -}}
- name: admission
  containerPort: {{ .Values.port }}
{{- end }}

{{- define "webhook.volumeMounts" -}}
{{- if ne .Values.tls.mode "selfSigned" -}}
- name: tls
  mountPath: /tls
  readOnly: true
{{- end }}
{{- end }}

{{- define "webhook.volumes" -}}
{{- if ne .Values.tls.mode "selfSigned" -}}
- name: tls
  secret:
    secretName: {{ include "webhook.secretName" . }}
{{- end }}
{{- end }}
