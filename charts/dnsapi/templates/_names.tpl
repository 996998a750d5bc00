{{/* Names and labels. The context is the root of a subchart; a subchart is named as its component. */}}

{{- define "dnsapi.fullname" -}}
{{- .Values.fullnameOverride | default (printf "%s-%s" .Release.Name .Chart.Name) | trunc 63 | trimSuffix "-" -}}
{{- end }}

{{- define "dnsapi.selectorLabels" -}}
app.kubernetes.io/name: dnsapi
app.kubernetes.io/component: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "dnsapi.labels" -}}
{{ include "dnsapi.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: dnsapi
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* The service account of a component: a dict of root and component. Global, because the webhook names its siblings'. */}}
{{- define "dnsapi.accountOf" -}}
{{- $chosen := index (.root.Values.global.serviceAccountNames | default dict) .component -}}
{{- $chosen | default (printf "%s-%s" .root.Release.Name .component) -}}
{{- end }}

{{- define "dnsapi.account" -}}
{{- include "dnsapi.accountOf" (dict "root" . "component" .Chart.Name) -}}
{{- end }}

{{- define "dnsapi.image" -}}
{{- $registry := .Values.image.registry | default .Values.global.image.registry | trimSuffix "/" -}}
{{- $tag := .Values.image.tag | default .Values.global.image.tag | default .Chart.AppVersion -}}
{{- if $registry }}{{ $registry }}/{{ end }}{{ .Values.image.repository }}
{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ $tag }}{{ end }}
{{- end }}

{{/* A scalar as text. Numbers of a values file are floats, which print as 1.048576e+06; `printf "%.0f"` writes whole ones out. */}}
{{- define "dnsapi.scalar" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) }}{{ printf "%.0f" . }}{{ else }}{{ toString . }}{{ end }}
{{- end }}

{{/* Settings as flags: camelCase becomes --kebab-case, true --key, false --no-key; a list is joined with commas; null and
     empty lists are left out. */}}
{{- define "dnsapi.flags" -}}
{{- range $key, $value := .Values.settings }}
{{- $flag := kebabcase $key }}
{{- if kindIs "invalid" $value }}
{{- else if kindIs "bool" $value }}
- {{ printf "--%s%s" (ternary "" "no-" $value) $flag | quote }}
{{- else if kindIs "slice" $value }}
{{- if $value }}
- {{ printf "--%s=%s" $flag (join "," $value) | quote }}
{{- end }}
{{- else }}
- {{ printf "--%s=%s" $flag (include "dnsapi.scalar" $value) | quote }}
{{- end }}
{{- end }}
{{- range .Values.extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end }}
