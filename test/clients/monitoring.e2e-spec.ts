import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CommandResult, runCommand } from '../support/command.js';
import { installProgram } from '../support/system-package.js';

let folder: string;
beforeAll(async () => {
  installProgram({ program: 'promtool', packageName: 'prometheus' });
  folder = await mkdtemp(join(tmpdir(), 'guildhall-monitoring-'));
  for (const name of ['prometheus.yml', 'guildhall-alerts.yml']) {
    await copyFile(join('deploy/monitoring', name), join(folder, name));
  }
  await writeFile(join(folder, 'metrics_token'), 'metrics-metrics-metrics');
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const promtool = (...args: string[]): Promise<CommandResult> =>
  runCommand('promtool', args, { cwd: folder });

interface RuleCase {
  alertname: string;
  series: Record<string, string>;
  labels: Record<string, string>;
  summary: string;
  /** Heading in the runbook, as a link names it. */
  runbook: string;
}

const WEB = 'job="guildhall-web",instance="web-1",datacenter="east"';
const WORKER = 'job="guildhall-worker",instance="worker-1"';
const [job, instance, datacenter] = ['guildhall-web', 'web-1', 'east'];

const CASES: RuleCase[] = [
  {
    alertname: 'GuildhallDatabasePoolExhausted',
    series: {
      [`guildhall_db_pool_waiting{${WEB}}`]: '3x20',
      [`guildhall_db_pool_connections{${WEB},state="used"}`]: '10x20',
      [`guildhall_db_pool_max_connections{${WEB}}`]: '10x20',
    },
    labels: { severity: 'warning', job, instance, datacenter },
    summary: 'web-1 waits for connections to PostgreSQL',
    runbook: 'the-database-is-slow',
  },
  {
    alertname: 'GuildhallStorageFull',
    series: {
      [`guildhall_storage_free_bytes{${WEB},storage="default"}`]: '5x20',
      [`guildhall_storage_size_bytes{${WEB},storage="default"}`]: '100x20',
    },
    labels: { severity: 'critical', storage: 'default' },
    summary: 'The disk of storage default has 5% free',
    runbook: 'a-disk-is-full',
  },
  {
    alertname: 'GuildhallReplicaBehind',
    series: {
      [`guildhall_db_replica_lag_seconds{${WEB}}`]: '90x20',
      // One whose reads go to the replica.
      [`guildhall_db_replica_lag_seconds{${WEB.replace('web-1', 'web-2')}}`]: '0.2x20',
    },
    labels: { severity: 'warning', job, instance, datacenter },
    summary: 'web-1 reads nothing from the replica, which is 1m 30s behind',
    runbook: 'the-replica-is-behind',
  },
  {
    alertname: 'GuildhallReplicaBehind',
    series: { [`guildhall_db_replica_lag_seconds{${WEB}}`]: 'Inf '.repeat(20).trim() },
    labels: { severity: 'warning', job, instance, datacenter },
    summary: 'web-1 reads nothing from the replica, which is +Inf behind',
    runbook: 'the-replica-is-behind',
  },
  {
    alertname: 'GuildhallAuditStreamLate',
    series: { [`guildhall_queue_oldest_seconds{${WEB},queue="audit-stream"}`]: '600+60x20' },
    labels: { severity: 'warning' },
    summary: 'The oldest audit event has waited for 25m 0s',
    runbook: 'audit-events-are-not-streamed',
  },
  {
    alertname: 'GuildhallAuditStreamFails',
    series: {
      [`guildhall_audit_events_streamed_total{${WORKER},outcome="sent"}`]: '70x20',
      [`guildhall_audit_events_streamed_total{${WORKER},outcome="failed"}`]: '0+5x20',
    },
    labels: { severity: 'warning' },
    summary: 'Audit events are sent, and the other system takes none',
    runbook: 'audit-events-are-not-streamed',
  },
];

/** One event that is refused for good is tried again each hour. */
const REFUSED_EVENT = {
  interval: '1m',
  input_series: [
    {
      series: `guildhall_audit_events_streamed_total{${WORKER},outcome="failed"}`,
      values: '0x60 1x60 2x60',
    },
  ],
  alert_rule_test: [61, 70, 72, 75, 130].map((minutes) => ({
    eval_time: `${minutes}m`,
    alertname: 'GuildhallAuditStreamFails',
    exp_alerts: [],
  })),
};

/** A test of one rule in the format of `promtool test rules`, which reads JSON as YAML. */
function ruleTest({ alertname, series, labels, summary, runbook }: RuleCase): object {
  const annotations = { summary, runbook: `docs/runbook.md#${runbook}` };
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [
      {
        eval_time: '15m',
        alertname,
        exp_alerts: [{ exp_labels: labels, exp_annotations: annotations }],
      },
    ],
  };
}

describe('the Prometheus files', () => {
  it('are accepted by promtool', async () => {
    const rules = await promtool('check', 'rules', 'guildhall-alerts.yml');
    const config = await promtool('check', 'config', 'prometheus.yml');
    expect([rules.code, rules.stderr, config.code, config.stderr]).toEqual([0, '', 0, '']);
    expect(rules.stdout).toMatch(/SUCCESS: \d+ rules found/);
    expect(config.stdout).toContain('prometheus.yml is valid prometheus config file syntax');
  });

  it('and the dashboard have queries that Prometheus can read', async () => {
    const text = await readFile('deploy/monitoring/grafana-dashboard.json', 'utf8');
    const { panels } = JSON.parse(text) as { panels: { targets?: { expr: string }[] }[] };
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(40);
    const rules = queries.map((expr, at) => ({ record: `query:${at}`, expr }));
    await writeFile(
      join(folder, 'queries.yml'),
      JSON.stringify({ groups: [{ name: 'dashboard', rules }] }),
    );
    const { code, stderr } = await promtool('check', 'rules', 'queries.yml');
    expect([code, stderr]).toEqual([0, '']);
  });

  it('fire for targets with further labels', async () => {
    const text = JSON.stringify({
      rule_files: ['guildhall-alerts.yml'],
      tests: [...CASES.map(ruleTest), REFUSED_EVENT],
    });
    await writeFile(join(folder, 'cases.yml'), text);
    const { code, stdout, stderr } = await promtool('test', 'rules', 'cases.yml');
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringContaining('SUCCESS')]);
  });
});
