{{- define "guildhall.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}
{{- end -}}
{{- end }}

{{- define "guildhall.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "guildhall.labels" -}}
{{ include "guildhall.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "guildhall.claim" -}}
{{ .Values.persistence.existingClaim | default (include "guildhall.name" .) }}
{{- end }}

{{/* Host of baseUrl, without the port. */}}
{{- define "guildhall.host" -}}
{{ regexReplaceAll ":[0-9]+$" (urlParse .Values.baseUrl).host "" }}
{{- end }}

{{- define "guildhall.storages" -}}
{{- $storages := dict -}}
{{- range $name, $storage := .Values.storages -}}
{{- $path := printf "/var/lib/guildhall/storages/%s" $name -}}
{{- $_ := set $storages $name (dict "path" $path "weight" $storage.weight) -}}
{{- end -}}
{{ $storages | toJson }}
{{- end }}

{{/* Pod of a role: a dict of "root", "role", "args" and "container" (further fields as YAML). */}}
{{- define "guildhall.pod" -}}
{{- $values := .root.Values -}}
# Variables of other Services, such as GUILDHALL_PORT, are not ours.
enableServiceLinks: false
{{- with $values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
containers:
  - name: {{ .role }}
    image: {{ printf "%s:%s" $values.image.repository ($values.image.tag | default .root.Chart.AppVersion) | quote }}
    imagePullPolicy: {{ $values.image.pullPolicy }}
    args: {{ .args | toJson }}
    env:
      - { name: NODE_ENV, value: production }
      - { name: BASE_URL, value: {{ $values.baseUrl | quote }} }
      - { name: TRUST_PROXY, value: {{ $values.trustProxy | quote }} }
      - { name: DATA_DIR, value: /var/lib/guildhall }
      - { name: STORAGES, value: {{ include "guildhall.storages" .root | quote }} }
      - { name: WORKER_PORT, value: '3001' }
      # Pods take the place of processes: the autoscaler adds them, and rolls them without interruption.
      - { name: WEB_PROCESSES, value: '1' }
      - { name: WORKER_PROCESSES, value: '1' }
      {{- range $values.secret.keys }}
      - { name: {{ upper . }}_FILE, value: /run/secrets/guildhall/{{ . }} }
      {{- end }}
      {{- range $name, $value := $values.env }}
      - { name: {{ $name }}, value: {{ kindIs "float64" $value | ternary ($value | int64) $value | quote }} }
      {{- end }}
    {{- with $values.envFrom }}
    envFrom: {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with .container }}
    {{- . | nindent 4 }}
    {{- end }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    resources: {{- toYaml (index $values .role).resources | nindent 6 }}
    volumeMounts:
      - { name: data, mountPath: /var/lib/guildhall }
      {{- range $name, $storage := $values.storages }}
      {{- if $storage.existingClaim }}
      - { name: {{ printf "storage-%s" $name }}, mountPath: {{ printf "/var/lib/guildhall/storages/%s" $name }} }
      {{- end }}
      {{- end }}
      - { name: secrets, mountPath: /run/secrets/guildhall, readOnly: true }
      - { name: tmp, mountPath: /tmp }
volumes:
  - name: data
    persistentVolumeClaim: { claimName: {{ include "guildhall.claim" .root }} }
  {{- range $name, $storage := $values.storages }}
  {{- with $storage.existingClaim }}
  - name: {{ printf "storage-%s" $name }}
    persistentVolumeClaim: { claimName: {{ . }} }
  {{- end }}
  {{- end }}
  - name: secrets
    secret: { secretName: {{ $values.secret.name }}, defaultMode: 288 }
  - name: tmp
    emptyDir: {}
{{- end }}

{{/* Fields of a role that place its pods. */}}
{{- define "guildhall.placement" -}}
{{- $fields := dict -}}
{{- range $field := list "nodeSelector" "tolerations" "affinity" -}}
{{- with index $ $field }}{{ $_ := set $fields $field . }}{{ end -}}
{{- end -}}
{{- if $fields }}{{ toYaml $fields }}{{ end -}}
{{- end }}

{{- define "guildhall.webContainer" -}}
ports:
  - { name: http, containerPort: 3000 }
startupProbe:
  httpGet: { path: /-/liveness, port: http }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /-/liveness, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /-/readiness, port: http }
  periodSeconds: 5
  # The checks themselves end after 3 seconds.
  timeoutSeconds: 4
lifecycle:
  preStop:
    # Until load balancers have noticed that the pod is going.
    exec: { command: [sleep, '5'] }
{{- end }}

{{- define "guildhall.workerContainer" -}}
ports:
  - { name: metrics, containerPort: 3001 }
startupProbe:
  httpGet: { path: /-/liveness, port: metrics }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /-/liveness, port: metrics }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}
