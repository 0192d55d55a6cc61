import { describe, expect, it } from '@jest/globals';
import { queryOf } from './prometheus-payload.js';
import type { IncomingAlert, JsonObject } from './incoming-alert.js';
import { parsePrometheus, UnlistedAlertsError } from './prometheus-payload.js';
import { isPrometheusPayload } from './payload.js';

const NOW = new Date('2026-03-01T12:34:56.789Z');

function envelope(alerts: unknown): JsonObject {
  return {
    version: '4',
    groupKey: '{}:{}',
    status: 'firing',
    receiver: 'hook',
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: 'http://am.example.com',
    alerts,
  };
}

const ITEM = {
  status: 'firing',
  labels: { alertname: 'HighLatency', severity: 'page', svc_environment_name: 'production' },
  annotations: {
    summary: 'Requests are slow',
    description: 'p95 above 2 s',
    runbook: 'https://kb.example.com/latency',
    svc_incident_markdown: '## First steps',
    svc_y_label: 'Seconds',
  },
  startsAt: '2026-03-01T10:00:00.123Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'http://prom.example.com/graph?g0.expr=up+%3D%3D+0&g0.tab=1',
  fingerprint: 'disk-full-web01',
};

function parseOne(changes: JsonObject): IncomingAlert | undefined {
  return parsePrometheus(envelope([{ ...ITEM, ...changes }]), NOW).alerts[0];
}

describe('isPrometheusPayload', () => {
  it('asks for all nine attributes and for no version', () => {
    expect(isPrometheusPayload(envelope([]))).toBe(true);
    expect(isPrometheusPayload({ ...envelope(null), version: '1', extra: 1 })).toBe(true);
  });

  it.each(Object.keys(envelope([])))('knows by a missing %s that it is none', (name) => {
    const complete = envelope([]);
    const rest = Object.entries(complete).filter(([other]) => other !== name);
    expect(isPrometheusPayload(Object.fromEntries(rest))).toBe(false);
    expect(isPrometheusPayload({ ...complete, [name]: null })).toBe(true);
  });
});

describe('parsePrometheus', () => {
  it.each([
    ['runbook', { runbook: 'https://kb.example.com/a', runbook_url: 'https://kb.example.com/b' }],
    ['runbook_url', { runbook_url: 'https://kb.example.com/a' }],
    [
      'runbook_url beside a blank runbook',
      { runbook: ' ', runbook_url: 'https://kb.example.com/a' },
    ],
  ])('takes the runbook from %s', (_, annotations) => {
    expect(parseOne({ annotations })?.runbook).toBe('https://kb.example.com/a');
  });

  it('reads every attribute of an item', () => {
    expect(parsePrometheus(envelope([ITEM]), NOW)).toEqual({
      format: 'prometheus',
      skipped: 0,
      dropped: 0,
      alerts: [
        {
          title: 'Requests are slow',
          description: 'p95 above 2 s',
          service: null,
          monitoringTool: 'Prometheus',
          severity: 'high',
          hosts: [],
          startedAt: new Date('2026-03-01T10:00:00.123Z'),
          isRecovery: false,
          endedAt: null,
          fingerprint: Buffer.from('3fe9dea383962bc1e8ab5479409565317a0b774d', 'hex'),
          environmentName: 'production',
          runbook: 'https://kb.example.com/latency',
          query: 'up == 0',
          yLabel: 'Seconds',
          incidentMarkdown: '## First steps',
          payload: JSON.stringify(ITEM),
        },
      ],
    });
  });

  it('gives what may be missing its default', () => {
    const item = { labels: { alertname: 'Up' }, startsAt: 'soon' };
    const [alert] = parsePrometheus(envelope([item]), NOW).alerts;
    expect(alert).toMatchObject({
      title: 'Up',
      description: null,
      severity: 'critical',
      startedAt: NOW,
      isRecovery: false,
      environmentName: null,
      runbook: null,
      query: null,
      yLabel: 'Up',
      incidentMarkdown: null,
    });
  });

  it.each<[JsonObject, Partial<IncomingAlert>]>([
    [{ annotations: { title: 'T', summary: 'S' } }, { title: 'T', yLabel: 'T' }],
    [{ annotations: { title: ' ', summary: 'S' } }, { title: 'S', yLabel: 'S' }],
    [{ annotations: null }, { title: 'HighLatency', yLabel: 'HighLatency' }],
    [{ annotations: { title: 'x'.repeat(250) } }, { title: `${'x'.repeat(197)}...` }],
    [{ annotations: { title: { a: 1 } } }, { title: '{"a":1}' }],
    [{ annotations: { summary: 'S', gitlab_y_label: 'Y' } }, { yLabel: 'Y' }],
    [{ annotations: { summary: 'S', svc_y_label: 'O', gitlab_y_label: 'Y' } }, { yLabel: 'O' }],
    [{ annotations: { summary: 'S', gitlab_incident_markdown: 'M' } }, { incidentMarkdown: 'M' }],
    [
      { annotations: { summary: 'S', description: 'x'.repeat(1001) } },
      { description: `${'x'.repeat(997)}...` },
    ],
    [{ labels: { gitlab_environment_name: 'staging' } }, { environmentName: 'staging' }],
    [
      { labels: { svc_environment_name: 'a', gitlab_environment_name: 'b' } },
      { environmentName: 'a' },
    ],
    [{ labels: { severity: 'minor' } }, { severity: 'critical' }],
    [{ labels: { severity: 'WARNING' } }, { severity: 'low' }],
    [
      { endsAt: '2026-03-01T11:00:00Z' },
      { isRecovery: true, endedAt: new Date('2026-03-01T11:00:00Z') },
    ],
    [
      { status: null, endsAt: NOW.toISOString() },
      { isRecovery: true, endedAt: NOW },
    ],
    [{ endsAt: '2026-03-01T12:34:56.790Z' }, { isRecovery: false, endedAt: null }],
    [{ endsAt: '0001-01-01T00:00:00Z' }, { isRecovery: false, endedAt: null }],
    [{ endsAt: null }, { isRecovery: false, endedAt: null }],
    [{ status: 'Resolved' }, { isRecovery: false, endedAt: null }],
    [
      { status: 'resolved', endsAt: '2026-03-01T11:00:00Z' },
      { isRecovery: true, endedAt: new Date('2026-03-01T11:00:00Z') },
    ],
    [{ status: 'resolved' }, { isRecovery: true, endedAt: NOW }],
    [
      { status: 'resolved', endsAt: 'x' },
      { isRecovery: true, endedAt: NOW },
    ],
  ])('reads %j', (changes, expected) => {
    expect(parseOne(changes)).toMatchObject(expected);
  });

  it('leaves out items without title or start, and counts them', () => {
    const untitled = { ...ITEM, labels: {}, annotations: { description: 'x' } };
    const items = [{ ...ITEM, startsAt: '' }, untitled, { ...ITEM, fingerprint: 'b' }, null, 'x'];
    const { alerts, skipped } = parsePrometheus(envelope(items), NOW);
    expect(alerts).toHaveLength(1);
    expect(alerts[0]?.payload).toContain('"fingerprint":"b"');
    expect(skipped).toBe(4);
  });

  it('looks at the first 100 items', () => {
    const items = Array.from({ length: 150 }, (_, at) => ({ ...ITEM, fingerprint: `f${at}` }));
    const { alerts, skipped, dropped } = parsePrometheus(envelope(items), NOW);
    expect([alerts.length, skipped, dropped]).toEqual([100, 0, 50]);
    expect(alerts[99]?.payload).toContain('"f99"');
  });

  it('returns no alerts for an empty list', () => {
    const none = { format: 'prometheus', alerts: [], skipped: 0, dropped: 0 };
    expect(parsePrometheus(envelope([]), NOW)).toEqual(none);
  });

  it.each([null, {}, 'x', 1])('rejects %p instead of a list', (alerts) => {
    expect(() => parsePrometheus(envelope(alerts), NOW)).toThrow(UnlistedAlertsError);
  });

  it('groups what has the same labels when items have no fingerprint', () => {
    const item = { ...ITEM, fingerprint: null };
    const other = { ...item, labels: { ...item.labels, instance: 'b' } };
    const again = { ...item, startsAt: '2026-03-02T10:00:00Z' };
    const { alerts } = parsePrometheus(envelope([item, other, again]), NOW);
    const [first, second, third] = alerts.map(({ fingerprint }) => fingerprint?.toString('hex'));
    expect(second).not.toBe(first);
    expect(third).toBe(first);
  });
});

describe('queryOf', () => {
  it.each([
    ['http://p.example.com/graph?g0.expr=up+%3D%3D+0&g0.tab=1', 'up == 0'],
    ['http://p.example.com/graph?g0.tab=1&g0.expr=a%2Bb#g0.expr=no', 'a+b'],
    ['http://p.example.com/graph?g0.expr=sum(rate(x[5m]))', 'sum(rate(x[5m]))'],
    ['http://p.example.com/graph?g0.expr=caf%C3%A9', 'café'],
    ['http://p.example.com/graph?g0.expr=100%', '100%'],
    ['http://p.example.com/graph?g0.expr=a%00b', 'ab'],
  ])('finds in %s the query %p', (url, expected) => {
    expect(queryOf(url)).toBe(expected);
  });

  it.each([
    'not a url',
    'not a url?g0.expr=up',
    '',
    'http://p.example.com/graph',
    'http://p.example.com/graph?',
    'http://p.example.com/graph?g0.expr=',
    'http://p.example.com/graph?g0.expr=+%00',
    'http://p.example.com/graph?xg0.expr=up',
    'http://p.example.com/graph#?g0.expr=up',
    null,
    42,
  ])('finds none in %p', (url) => {
    expect(queryOf(url)).toBeNull();
  });

  it('leaves no half character behind', () => {
    expect(queryOf('http://p/?g0.expr=%ED%A0%80x%FF')).not.toMatch(/\p{Surrogate}/u);
  });
});
