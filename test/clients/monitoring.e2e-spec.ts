import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
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
}

const WEB = 'job="guildhall-web",instance="web-1",datacenter="east"';
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
  },
  {
    alertname: 'GuildhallStorageFull',
    series: {
      [`guildhall_storage_free_bytes{${WEB},storage="default"}`]: '5x20',
      [`guildhall_storage_size_bytes{${WEB},storage="default"}`]: '100x20',
    },
    labels: { severity: 'critical', storage: 'default' },
    summary: 'The disk of storage default has 5% free',
  },
];

/** A test of one rule in the format of `promtool test rules`, which reads JSON as YAML. */
function ruleTest({ alertname, series, labels, summary }: RuleCase, runbook: string): object {
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [
      {
        eval_time: '15m',
        alertname,
        exp_alerts: [{ exp_labels: labels, exp_annotations: { summary, runbook } }],
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

  it('fire for targets with further labels', async () => {
    const runbooks = ['the-database-is-slow', 'a-disk-is-full'];
    const tests = CASES.map((one, at) => ruleTest(one, `docs/runbook.md#${runbooks[at]}`));
    const text = JSON.stringify({ rule_files: ['guildhall-alerts.yml'], tests });
    await writeFile(join(folder, 'cases.yml'), text);
    const { code, stdout, stderr } = await promtool('test', 'rules', 'cases.yml');
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringContaining('SUCCESS')]);
  });
});
