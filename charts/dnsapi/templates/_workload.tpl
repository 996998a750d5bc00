{{/*
What every component has: service account, Deployment, disruption budget, network policy, PodMonitor.
"dnsapi.workload" takes a dict: root, and optionally args, ports, volumes, volumeMounts (YAML text).
*/}}
{{- define "dnsapi.workload" -}}
{{- $root := .root }}
{{- with $root }}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "dnsapi.account" . }}
  namespace: {{ .Release.Namespace }}
  labels:
    {{- include "dnsapi.labels" . | nindent 4 }}
  {{- with (include "dnsapi.accountAnnotations" . | trim) }}
  annotations:
    {{- . | nindent 4 }}
  {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "dnsapi.fullname" . }}
  namespace: {{ .Release.Namespace }}
  labels:
    {{- include "dnsapi.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "dnsapi.selectorLabels" . | nindent 6 }}
{{- if .Values.global.podMonitor.enabled }}
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata:
  name: {{ include "dnsapi.fullname" . }}
  namespace: {{ .Release.Namespace }}
  labels:
    {{- include "dnsapi.labels" . | nindent 4 }}
    {{- with .Values.global.podMonitor.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  selector:
    matchLabels:
      {{- include "dnsapi.selectorLabels" . | nindent 6 }}
  podMetricsEndpoints:
    - port: health
      path: /metrics
      interval: {{ .Values.global.podMonitor.interval }}
{{- end }}
{{- if .Values.global.networkPolicy.enabled }}
---
{{ include "dnsapi.networkPolicy" . }}
{{- end }}
{{- end }}
---
{{ include "dnsapi.deployment" . }}
{{- end }}

{{- define "dnsapi.deployment" -}}
{{- $parts := . }}
{{- with .root -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "dnsapi.fullname" . }}
  namespace: {{ .Release.Namespace }}
  labels:
    {{- include "dnsapi.labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicas }}
  revisionHistoryLimit: 3
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels:
      {{- include "dnsapi.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "dnsapi.labels" . | nindent 8 }}
        {{- with .Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with .Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "dnsapi.account" . }}
      automountServiceAccountToken: true
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ include "dnsapi.scalar" .Values.terminationGracePeriodSeconds }}
      {{- with .Values.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with .Values.global.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        {{- include "dnsapi.podSecurityContext" . | nindent 8 }}
      containers:
        - name: {{ .Chart.Name }}
          image: {{ include "dnsapi.image" . | quote }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          args:
            - "--health-host={{ .Values.global.bindAddress | trimAll "[]" }}"
            - --health-port={{ .Values.healthPort }}
            {{- with $parts.args }}
            {{- . | nindent 12 }}
            {{- end }}
            {{- with (include "dnsapi.flags" . | trim) }}
            {{- . | nindent 12 }}
            {{- end }}
          {{- with (include "dnsapi.environment" . | trim) }}
          env:
            {{- . | nindent 12 }}
          {{- end }}
          ports:
            - name: health
              containerPort: {{ .Values.healthPort }}
            {{- with $parts.ports }}
            {{- . | nindent 12 }}
            {{- end }}
          startupProbe:
            httpGet:
              path: /healthz
              port: health
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet:
              path: /healthz
              port: health
            periodSeconds: 20
            timeoutSeconds: 5
          readinessProbe:
            httpGet:
              path: /readyz
              port: health
            periodSeconds: 5
            timeoutSeconds: 3
          resources:
            {{- toYaml .Values.resources | nindent 12 }}
          securityContext:
            {{- toYaml .Values.global.containerSecurityContext | nindent 12 }}
          volumeMounts:
            - name: tmp
              mountPath: /tmp
            {{- with $parts.volumeMounts }}
            {{- . | nindent 12 }}
            {{- end }}
      volumes:
        - name: tmp
          emptyDir:
            sizeLimit: 16Mi
        {{- with $parts.volumes }}
        {{- . | nindent 8 }}
        {{- end }}
      {{- with .Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "dnsapi.selectorLabels" $parts.root | nindent 14 }}
        {{- end }}
{{- end }}
{{- end }}
