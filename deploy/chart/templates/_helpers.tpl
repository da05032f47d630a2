{{/* The prefix of all names. */}}
{{- define "unikorn.fullname" -}}
{{- if contains "unikorn" .Release.Name }}{{ .Release.Name | trunc 24 | trimSuffix "-" }}{{ else }}{{ printf "%s-unikorn" (.Release.Name | trunc 16 | trimSuffix "-") }}{{ end }}
{{- end }}

{{/* The name of the objects of a part: <prefix>-region-server-controller. */}}
{{- define "unikorn.partName" -}}
{{ include "unikorn.fullname" .root }}-{{ .part.name | replace "/" "-" }}
{{- end }}

{{- define "unikorn.selector" -}}
app.kubernetes.io/name: unikorn
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part.name | replace "/" "-" }}
{{- end }}

{{- define "unikorn.labels" -}}
app.kubernetes.io/name: unikorn
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- with .part }}
app.kubernetes.io/component: {{ .name | replace "/" "-" }}
unikorn-cloud.org/service: {{ .service }}
{{- end }}
{{- end }}

{{/* The Secret with the certificate of a service. */}}
{{- define "unikorn.certificateSecret" -}}
{{- $given := index .root.Values.certificates.existingSecrets .service -}}
{{- if $given }}{{ $given }}
{{- else if .root.Values.certificates.certManager.enabled }}{{ include "unikorn.fullname" .root }}-{{ .service }}-tls
{{- else }}{{ fail (printf "certificates.existingSecrets.%s is not set: name a Secret with tls.crt, tls.key and ca.crt, or set certificates.certManager.enabled" .service) }}
{{- end }}
{{- end }}

{{- define "unikorn.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest }}{{ $image.repository }}@{{ $image.digest }}{{ else }}{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* The volume with the credentials of a region. */}}
{{- define "unikorn.regionVolume" -}}
region-{{ printf "%s/%s" .namespace .name | sha256sum | trunc 10 }}
{{- end }}

{{/* Checks that a schema cannot express. */}}
{{- define "unikorn.check" -}}
{{- if not .Values.publicUrl }}{{ fail "publicUrl is not set: it is the address at which users reach the platform, such as https://cloud.example.com" }}{{ end }}
{{- if not .Values.encryption.existingSecret }}{{ fail "encryption.existingSecret is not set: name a Secret with the encryption keys; the README of the chart shows how to create it" }}{{ end }}
{{- $names := list }}
{{- range (.Files.Get "files/parts.yaml" | fromYaml).parts }}{{ $names = append $names .name }}{{ end }}
{{- range $name, $_ := .Values.parts }}
{{- if not (has $name $names) }}{{ fail (printf "parts: there is no part %q; use one of %s" $name (join ", " $names)) }}{{ end }}
{{- end }}
{{- if and .Values.ingress.enabled .Values.gateway.enabled }}{{ fail "ingress.enabled and gateway.enabled exclude each other: choose one" }}{{ end }}
{{- if and .Values.gateway.enabled (not .Values.gateway.parents) }}{{ fail "gateway.parents is not set: name the Gateway that receives the requests of users" }}{{ end }}
{{- end }}
