{{/* Annotations of a component's service account, IRSA's among them. */}}
{{- define "dnsapi.accountAnnotations" -}}
{{- $aws := .Values.aws | default dict }}
{{- $irsa := ternary (dict "eks.amazonaws.com/role-arn" $aws.roleARN) dict (not (empty $aws.roleARN)) }}
{{- with merge (dict) (.Values.serviceAccount.annotations | default dict) $irsa }}
{{- toYaml . }}
{{- end }}
{{- end }}

{{/* Environment variables of a component: the AWS SDK's, then those of the values. */}}
{{- define "dnsapi.environment" -}}
{{- $aws := .Values.aws | default dict }}
{{- with $aws.region }}
- name: AWS_REGION
  value: {{ . | quote }}
{{- end }}
{{- with $aws.secretName }}
{{- $secret := . }}
{{- range $key := list "aws_access_key_id" "aws_secret_access_key" }}
- name: {{ upper $key }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ $key }}
{{- end }}
{{- end }}
{{- with .Values.env }}
{{ toYaml . }}
{{- end }}
{{- end }}
