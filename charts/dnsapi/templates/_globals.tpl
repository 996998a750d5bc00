{{/*
A component that is installed alone, or below another umbrella, gets the defaults of `global` here; ours gives them all.
Each template of a component starts with this; nothing is printed.
*/}}
{{- define "dnsapi.globals" -}}
{{- $global := .Values.global | default dict }}
{{- include "dnsapi.fill" (dict "into" $global "from" (include "dnsapi.globalDefaults" . | fromYaml)) }}
{{- $_ := set .Values "global" $global }}
{{- end }}

{{/* Puts into a dict what it lacks, at any depth. Helm's own `merge` takes false and 0 for lacking. */}}
{{- define "dnsapi.fill" -}}
{{- $into := .into }}
{{- range $key, $value := .from }}
{{- if not (hasKey $into $key) }}
{{- $_ := set $into $key $value }}
{{- else if and (kindIs "map" $value) (kindIs "map" (index $into $key)) }}
{{- include "dnsapi.fill" (dict "into" (index $into $key) "from" $value) }}
{{- end }}
{{- end }}
{{- end }}

{{/* The security context of every pod. Helm cannot take a default away by null in what charts share. */}}
{{- define "dnsapi.podSecurityContext" -}}
{{- $given := .Values.global.podSecurityContext }}
{{- if .Values.global.platformAssignsUsers }}{{ $given = omit $given "runAsUser" "runAsGroup" "fsGroup" }}{{ end }}
{{- toYaml $given }}
{{- end }}
