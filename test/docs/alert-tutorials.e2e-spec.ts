import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeGroup, makeMemberOf, makeProject } from '../support/project-factories.js';
import { Document, follows, KEY, WEBHOOK } from './document.js';

follows('docs/tutorials/alerts-alertmanager.md', 'sh', 'alertmanager.yml');
follows('docs/tutorials/alerts-datadog.md', 'sh', 'payload', 'headers');
follows('docs/tutorials/alerts-grafana.md', 'sh', 'provisioning/alerting/guildhall.yaml');
follows('docs/tutorials/alerts-uptime-kuma.md', 'sh', 'headers', 'down');
follows('docs/tutorials/alerts-zabbix.md', 'sh', 'parameters', 'script');

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

interface Delivery {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Follows a tutorial up to the configuration of the tool. */
async function follow(page: string) {
  const path = `docs/tutorials/${page}.md`;
  const group = await makeGroup(app);
  const project = await makeProject(app, { namespaceId: group.id });
  const { api, token } = await makeMemberOf(app, project, 'maintainer');
  const common = [['acme%2Fshop', encodeURIComponent(project.fullPath)]] as const;
  const own = [
    ['svcpat-…', token],
    ['https://code.example.com/api', `${app.url}/api`],
  ] as const;
  const made = JSON.parse(await new Document(path, [...common, ...own]).run()) as {
    url: string;
    token: string;
  };
  const tutorial = new Document(path, [
    [WEBHOOK, made.url],
    [KEY, made.token],
  ]);
  const alerts = async (): Promise<unknown> =>
    (await api.get(`/projects/${project.id}/alert_management_alerts?sort=asc`).expect(200)).body;
  return { tutorial, made, alerts };
}

async function deliver({ url, headers, body }: Delivery): Promise<number> {
  const all = { 'Content-Type': 'application/json', ...headers };
  return (await fetch(url, { method: 'POST', headers: all, body })).status;
}

const fixture = (name: string): string => readFileSync(`test/alerts/fixtures/${name}.json`, 'utf8');

/** Address and key from a configuration file in YAML. */
function fromYaml(yaml: string, body: string): Delivery {
  const [, url = ''] = /url: (\S+)/.exec(yaml) ?? [];
  const [, key = ''] = /credentials: (\S+)/.exec(yaml) ?? [];
  return { url, headers: { Authorization: `Bearer ${key}` }, body };
}

/** Runs the script of a media type as Zabbix does; returns the request that it sends. */
function fromZabbix(tutorial: Document, macros: Record<string, string>): Delivery {
  const parameters = tutorial
    .named('parameters')
    .replaceAll(/\{[A-Z.]+\}/g, (macro) => macros[macro] ?? macro);
  const headers: Record<string, string> = {};
  let sent: Delivery | undefined;
  class HttpRequest {
    addHeader(line: string): void {
      const [name = '', value = ''] = line.split(': ');
      headers[name] = value;
    }
    post(url: string, body: string): string {
      sent = { url, headers, body };
      return '[]';
    }
    getStatus(): number {
      return 200;
    }
  }
  const script = `(function (value) {${tutorial.named('script')}})(value)`;
  expect(runInNewContext(script, { HttpRequest, value: parameters })).toBe('OK');
  if (sent === undefined) throw new Error('the script has sent nothing');
  return sent;
}

const PROBLEM = {
  '{EVENT.ID}': '88123',
  '{EVENT.VALUE}': '1',
  '{EVENT.NAME}': 'Free disk space is less than 5% on /var',
  '{EVENT.NSEVERITY}': '4',
  '{HOST.NAME}': 'files-1.example.com',
  '{TRIGGER.DESCRIPTION}': 'The volume will be full within the hour.',
  '{TRIGGER.URL}': '',
};

const fromKuma = (tutorial: Document, url: string, status: string): Delivery => ({
  url,
  headers: JSON.parse(tutorial.named('headers')) as Record<string, string>,
  body: tutorial.named('down').replace('"status": 0', `"status": ${status}`),
});

const MONITOR: Record<string, string> = {
  $ALERT_TITLE: 'Replication lag is high on {host:db-3.example.com}',
  $TEXT_ONLY_MSG: JSON.stringify('Lag of the replica is 41 s.\n"mysql"').slice(1, -1),
  $HOSTNAME: 'db-3.example.com',
  $ALERT_CYCLE_KEY: '3405691582003214',
  $ALERT_PRIORITY: 'P2',
  $TAGS: 'env:live,host:db-3.example.com',
  $LINK: 'https://app.datadoghq.example/monitors/90211',
};

function fromDatadog(tutorial: Document, url: string, transition: string): Delivery {
  const values: Record<string, string> = { ...MONITOR, $ALERT_TRANSITION: transition };
  return {
    url,
    headers: JSON.parse(tutorial.named('headers')) as Record<string, string>,
    body: tutorial
      .named('payload')
      .replaceAll(/\$[A-Z_]+/g, (variable) => values[variable] ?? 'unknown variable'),
  };
}

type Made = Awaited<ReturnType<typeof follow>>;

describe.each<{
  page: string;
  firing: (made: Made) => Delivery;
  recovery: (made: Made) => Delivery;
  expected: object;
}>([
  {
    page: 'alerts-alertmanager',
    firing: ({ tutorial }) =>
      fromYaml(tutorial.named('alertmanager.yml'), fixture('alertmanager-firing')),
    recovery: ({ tutorial }) =>
      fromYaml(tutorial.named('alertmanager.yml'), fixture('alertmanager-resolved')),
    expected: { title: 'Queue backlog above 10,000 jobs', severity: 'high' },
  },
  {
    page: 'alerts-grafana',
    firing: ({ tutorial }) =>
      fromYaml(tutorial.named('provisioning/alerting/guildhall.yaml'), fixture('grafana-firing')),
    recovery: ({ tutorial }) =>
      fromYaml(tutorial.named('provisioning/alerting/guildhall.yaml'), fixture('grafana-resolved')),
    expected: { title: 'Checkout is slow in eu-central', severity: 'high' },
  },
  {
    page: 'alerts-zabbix',
    firing: ({ tutorial }) => fromZabbix(tutorial, PROBLEM),
    recovery: ({ tutorial }) => fromZabbix(tutorial, { ...PROBLEM, '{EVENT.VALUE}': '0' }),
    expected: {
      title: 'Free disk space is less than 5% on /var',
      severity: 'high',
      monitoring_tool: 'Zabbix',
      hosts: ['files-1.example.com'],
    },
  },
  {
    page: 'alerts-uptime-kuma',
    firing: ({ tutorial, made }) => fromKuma(tutorial, made.url, '0'),
    recovery: ({ tutorial, made }) => fromKuma(tutorial, made.url, '1'),
    expected: { title: 'Shop', description: 'connect ECONNREFUSED 192.0.2.17:443' },
  },
  {
    page: 'alerts-datadog',
    firing: ({ tutorial, made }) => fromDatadog(tutorial, made.url, 'Triggered'),
    recovery: ({ tutorial, made }) => fromDatadog(tutorial, made.url, 'Recovered'),
    expected: {
      title: 'Replication lag is high on {host:db-3.example.com}',
      description: 'Lag of the replica is 41 s.\n"mysql"',
      hosts: ['db-3.example.com'],
    },
  },
])('the tutorial $page', ({ page, firing, recovery, expected }) => {
  it('makes alerts of problems and resolves them', async () => {
    const made = await follow(page);
    expect(await deliver(firing(made))).toBe(200);
    expect(await deliver(firing(made))).toBe(200);
    expect(await made.alerts()).toEqual([
      expect.objectContaining({ ...expected, status: 'triggered', event_count: 2 }),
    ]);
    expect(await deliver(recovery(made))).toBe(200);
    expect(await made.alerts()).toEqual([expect.objectContaining({ status: 'resolved' })]);
  });
});
