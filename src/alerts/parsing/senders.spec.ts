import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type {
  IncomingAlert,
  MappableField,
  ParsingRules,
  PayloadPath,
  ResolvedWhen,
} from './incoming-alert.js';
import { parseAlertBody, parsePayload } from './payload.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const HTTP: ParsingRules = { type: 'http', mappings: [], resolvedWhen: null };

/** Alerts of a body as a real tool sends it. */
function read(name: string, rules: ParsingRules = HTTP): IncomingAlert[] {
  const bytes = readFileSync(`test/alerts/fixtures/${name}.json`);
  return parsePayload(parseAlertBody(bytes), rules, NOW).alerts;
}

function mapped(resolvedWhen: ResolvedWhen, paths: [MappableField, PayloadPath][]): ParsingRules {
  const mappings = paths.map(([field, path]) => ({ field, path, type: 'STRING' as const }));
  return { type: 'http', mappings, resolvedWhen };
}

function prints(alerts: IncomingAlert[]): (string | undefined)[] {
  return alerts.map(({ fingerprint }) => fingerprint?.toString('hex'));
}

describe('Alertmanager', () => {
  it('tells of a problem', () => {
    expect(read('alertmanager-firing')).toMatchObject([
      {
        title: 'Queue backlog above 10,000 jobs',
        description: 'Jobs on mq-2.example.com:15692 wait longer than 5 minutes.',
        monitoringTool: 'Prometheus',
        severity: 'high',
        startedAt: new Date('2026-03-01T10:00:14.731Z'),
        isRecovery: false,
        endedAt: null,
        environmentName: 'production',
        runbook: 'https://kb.example.com/queues/backlog',
        query: 'rabbitmq_queue_messages_ready > 10000',
      },
    ]);
  });

  it('tells the same again, alone and among others', () => {
    const [first] = prints(read('alertmanager-firing'));
    const several = prints(read('alertmanager-several'));
    expect(prints(read('alertmanager-repeat'))).toEqual([first]);
    expect(several[0]).toBe(first);
    expect(several[1]).not.toBe(first);
  });

  it('tells of the end of one, then of all', () => {
    const several = prints(read('alertmanager-several'));
    const some = read('alertmanager-some-resolved');
    const all = read('alertmanager-resolved');
    expect(some.map(({ isRecovery }) => isRecovery)).toEqual([true, false]);
    expect(all.map(({ endedAt }) => endedAt?.toISOString())).toEqual([
      '2026-03-01T10:42:29.731Z',
      '2026-03-01T10:43:44.731Z',
    ]);
    expect([prints(some), prints(all)]).toEqual([several, several]);
  });
});

describe('Grafana', () => {
  it('tells of a problem and its end without any mapping', () => {
    const [firing, resolved] = [read('grafana-firing'), read('grafana-resolved')];
    expect(firing).toMatchObject([
      {
        title: 'Checkout is slow in eu-central',
        severity: 'high',
        startedAt: new Date('2026-03-01T10:20:00Z'),
        isRecovery: false,
        runbook: 'https://kb.example.com/shop/checkout',
        query: null,
      },
    ]);
    expect(resolved).toMatchObject([
      { isRecovery: true, endedAt: new Date('2026-03-01T10:55:00Z') },
    ]);
    expect(prints(resolved)).toEqual(prints(firing));
    expect(firing[0]?.payload).toContain('"valueString"');
  });
});

describe.each([
  {
    tool: 'Datadog',
    names: ['datadog-triggered', 'datadog-recovered'],
    rules: mapped({ path: ['alert_transition'], values: ['Recovered'] }, [
      ['description', ['body']],
      ['fingerprint', ['alert_cycle_key']],
      ['hosts', ['hostname']],
    ]),
    expected: {
      title: '[Triggered on {host:db-3.example.com}] Replication lag is high',
      description: 'Lag of the replica is 41 s.\n@webhook-guildhall',
      hosts: ['db-3.example.com'],
      startedAt: NOW,
    },
  },
  {
    tool: 'Zabbix',
    names: ['zabbix-problem', 'zabbix-recovery'],
    rules: mapped({ path: ['event_value'], values: ['0'] }, [
      ['title', ['event_name']],
      ['description', ['trigger_description']],
      ['severity', ['event_severity']],
      ['fingerprint', ['event_id']],
      ['hosts', ['host_name']],
      ['end_time', ['event_recovery_date']],
    ]),
    expected: {
      title: 'Free disk space is less than 5% on /var',
      description: 'The volume will be full within the hour.',
      severity: 'high',
      hosts: ['files-1.example.com'],
    },
  },
  {
    tool: 'A client of the PagerDuty events protocol',
    names: ['pagerduty-trigger', 'pagerduty-resolve'],
    rules: mapped({ path: ['event_action'], values: ['resolve'] }, [
      ['title', ['payload', 'summary']],
      ['fingerprint', ['dedup_key']],
      ['hosts', ['payload', 'source']],
      ['service', ['payload', 'component']],
      ['start_time', ['payload', 'timestamp']],
    ]),
    expected: {
      title: 'Nightly backup of files-1 failed',
      service: 'restic',
      hosts: ['files-1.example.com'],
      startedAt: new Date('2026-03-01T02:14:09Z'),
    },
  },
])('$tool', ({ names, rules, expected }) => {
  const [firing = '', over = ''] = names;

  it('tells of a problem through a mapping', () => {
    expect(read(firing, rules)).toMatchObject([{ ...expected, isRecovery: false, endedAt: null }]);
  });

  it('tells of its end by a word', () => {
    expect(read(over, rules)).toMatchObject([{ isRecovery: true, endedAt: NOW }]);
    expect(prints(read(over, rules))).toEqual(prints(read(firing, rules)));
  });
});
