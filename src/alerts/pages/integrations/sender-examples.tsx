import type { VNode } from 'preact';
import { Card } from '../../../core/ui/components/content.js';
import { Copyable } from '../../../core/ui/components/copy.js';
import type { IntegrationType } from '../../alert-integration.entity.js';
import type { FoundIntegration } from '../../alert-integrations.repository.js';
import { prettyValue } from '../raw-text.js';

type Sampled = Pick<FoundIntegration, 'type' | 'payloadExample'>;

interface SenderExamplesProps {
  url: string;
  token: string;
  integration: Sampled;
}

/** Longer examples cannot be pasted: shells take arguments up to 128 KiB only. */
const MOST_PASTED = 16_384;

/** Setup examples for cURL, Prometheus Alertmanager and Grafana. */
export function SenderExamples({ url, token, integration }: SenderExamplesProps): VNode {
  return (
    <Card title="Setup examples">
      <Example title="cURL" text={curlText(url, token, integration)} open />
      <Example
        title="Prometheus Alertmanager (alertmanager.yml)"
        text={alertmanagerText(url, token)}
      />
      <Example title="Grafana (provisioned contact point)" text={grafanaText(url, token)} />
    </Card>
  );
}

function Example(props: { title: string; text: string; open?: boolean }): VNode {
  const { title, text, open } = props;
  return (
    <details open={open}>
      <summary class="w-fit font-medium">{title}</summary>
      <Copyable noun="example">
        <pre tabIndex={0} role="region" aria-label={title}>
          {text}
        </pre>
      </Copyable>
    </details>
  );
}

const PLAIN = `{
  "title": "Disk is nearly full",
  "severity": "high",
  "hosts": ["web-1"],
  "service": "web"
}`;

const MONITORING = {
  receiver: 'guildhall',
  status: 'firing',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'DiskNearlyFull', severity: 'page', instance: 'web-1:9100' },
      annotations: { summary: 'Disk is nearly full' },
      startsAt: '2026-01-01T12:00:00Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'http://prometheus.example.com/graph?g0.expr=disk_free+%3C+5',
    },
  ],
  groupLabels: { alertname: 'DiskNearlyFull' },
  commonLabels: { alertname: 'DiskNearlyFull', severity: 'page' },
  commonAnnotations: { summary: 'Disk is nearly full' },
  externalURL: 'http://alertmanager.example.com',
  version: '4',
  groupKey: '{}:{alertname="DiskNearlyFull"}',
};

/**
 * Returns a payload for a test alert: the integration's own sample, or one in the format of its
 * type.
 */
export function samplePayload({ type, payloadExample }: Sampled): string {
  const hasExample = Object.keys(payloadExample).length > 0;
  return hasExample ? prettyValue(payloadExample) : payloadOfType(type);
}

function payloadOfType(type: IntegrationType): string {
  return type === 'prometheus' ? JSON.stringify(MONITORING, null, 2) : PLAIN;
}

function curlText(url: string, token: string, integration: Sampled): string {
  const sample = samplePayload(integration);
  const payload = sample.length > MOST_PASTED ? payloadOfType(integration.type) : sample;
  return [
    'curl --request POST \\',
    `  --header "Authorization: Bearer ${token}" \\`,
    '  --header "Content-Type: application/json" \\',
    `  "${url}" \\`,
    `  --data ${shellQuoted(payload)}`,
  ].join('\n');
}

/** As one word that the shell takes as it is (POSIX, Shell Command Language, 2.2.2). */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function alertmanagerText(url: string, token: string): string {
  return [
    'route:',
    '  receiver: guildhall',
    'receivers:',
    '  - name: guildhall',
    '    webhook_configs:',
    '      - send_resolved: true',
    `        url: "${url}"`,
    '        http_config:',
    '          authorization:',
    `            credentials: "${token}"`,
  ].join('\n');
}

function grafanaText(url: string, token: string): string {
  return [
    'apiVersion: 1',
    'contactPoints:',
    '  - orgId: 1',
    '    name: guildhall',
    '    receivers:',
    '      - uid: guildhall',
    '        type: webhook',
    '        settings:',
    `          url: "${url}"`,
    '          httpMethod: POST',
    '          authorization_scheme: Bearer',
    `          authorization_credentials: "${token}"`,
  ].join('\n');
}
