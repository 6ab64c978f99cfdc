{{- define "dialoom.labels" -}}
app.kubernetes.io/name: dialoom
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
