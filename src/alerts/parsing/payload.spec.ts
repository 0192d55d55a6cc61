import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../core/errors.js';
import { characterCount } from './alert-attributes.js';
import {
  MAPPABLE_FIELDS,
  type IncomingAlert,
  type JsonObject,
  type ParsingRules,
} from './incoming-alert.js';
import { parsePayload } from './payload.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const HTTP: ParsingRules = { type: 'http', mappings: [], resolvedWhen: null };
const PROMETHEUS: ParsingRules = { ...HTTP, type: 'prometheus' };

const ENVELOPE = {
  version: '4',
  groupKey: null,
  status: 'firing',
  receiver: 'hook',
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'http://am.example.com',
};
const LONE_SURROGATE = /\p{Surrogate}/u;
const ITEM = { labels: { alertname: 'Up' }, startsAt: '2026-03-01T10:00:00Z' };

describe('parsePayload', () => {
  it.each([HTTP, PROMETHEUS])('knows the Prometheus format on every type: %j', (rules) => {
    const parsed = parsePayload({ ...ENVELOPE, alerts: [ITEM] }, rules, NOW);
    expect([parsed.format, parsed.alerts.length]).toEqual(['prometheus', 1]);
  });

  it('ignores mappings for the Prometheus format', () => {
    const mappings = [{ field: 'title' as const, path: ['receiver'], type: 'STRING' as const }];
    const parsed = parsePayload({ ...ENVELOPE, alerts: [ITEM] }, { ...HTTP, mappings }, NOW);
    expect(parsed.alerts[0]?.title).toBe('Up');
  });

  it('reads everything else as one plain alert', () => {
    const { alerts, ...counts } = parsePayload({ ...ENVELOPE, title: 'A' }, HTTP, NOW);
    expect(counts).toEqual({ format: 'plain', skipped: 0, dropped: 0 });
    expect(alerts.map(({ title }) => title)).toEqual(['A']);
  });

  it('refuses a plain payload for an integration of the Prometheus type', () => {
    const parse = (): unknown => parsePayload({ title: 'A' }, PROMETHEUS, NOW);
    expect(parse).toThrow(new ApiError(422, { message: '422 Unprocessable entity' }));
  });
});

/** Anything that may stand in a payload, dates and almost dates among it. */
const anyValue = fc.oneof(
  { maxDepth: 4 },
  fc.jsonValue({ stringUnit: 'binary' }),
  fc.string({ unit: 'binary', maxLength: 1500, size: 'max' }),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.array(fc.string({ unit: 'binary', maxLength: 200 })),
  fc.integer(),
);
const anyPath = fc.array(
  fc.oneof(
    fc.constantFrom('a', 'title', 'hosts', 'labels', 'alerts', 'constructor'),
    fc.integer({ min: -1, max: 3 }),
  ),
  { maxLength: 4 },
);
const anyObject = (...names: string[]): fc.Arbitrary<JsonObject> =>
  fc.record(Object.fromEntries(names.map((name) => [name, anyValue])), { requiredKeys: [] });
const anyItem = fc.record(
  {
    labels: fc.oneof(anyObject('alertname', 'severity', 'svc_environment_name'), anyValue),
    annotations: anyObject('title', 'summary', 'description', 'svc_y_label', 'runbook'),
    startsAt: anyValue,
    endsAt: anyValue,
    status: fc.constantFrom('firing', 'resolved', null),
    generatorURL: fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => `http://p/?g0.expr=${text}`),
      anyValue,
    ),
    fingerprint: anyValue,
  },
  { requiredKeys: [] },
);
const anyBody = fc.oneof(
  anyObject(...MAPPABLE_FIELDS, 'a', 'runbook'),
  fc.array(fc.oneof(anyItem, anyValue)).map((alerts) => ({ ...ENVELOPE, alerts })),
);
const anyRules: fc.Arbitrary<ParsingRules> = fc.record({
  type: fc.constantFrom('http', 'prometheus'),
  mappings: fc.array(
    fc.record({
      field: fc.constantFrom(...MAPPABLE_FIELDS),
      path: anyPath,
      type: fc.constant('STRING' as const),
    }),
  ),
  resolvedWhen: fc.option(fc.record({ path: anyPath, values: fc.array(fc.string()) })),
});

function expectWithinLimits(alert: IncomingAlert): void {
  const { title, description, service, monitoringTool, hosts, environmentName } = alert;
  const lengths = [title, description, service, monitoringTool, hosts.join(''), environmentName];
  [200, 1000, 100, 100, 255, 255].forEach((limit, at) => {
    expect(characterCount(lengths[at] ?? '')).toBeLessThanOrEqual(limit);
  });
  expect(title.trim()).not.toBe('');
  expect(alert.isRecovery).toBe(alert.endedAt !== null);
  expect(alert.fingerprint?.length ?? 20).toBe(20);
  for (const time of [alert.startedAt, alert.endedAt ?? NOW]) {
    expect(time.getTime()).toBeGreaterThan(0);
    expect(time.getUTCFullYear()).toBeLessThanOrEqual(9999);
  }
  const texts = [...lengths, alert.runbook, alert.query, alert.yLabel, alert.payload, ...hosts];
  expect(texts.filter((text) => LONE_SURROGATE.test(text ?? ''))).toEqual([]);
  expect(JSON.parse(alert.payload)).toBeInstanceOf(Object);
}

describe('parsePayload, whatever comes', () => {
  it('refuses only in its own words and keeps every limit', () => {
    fc.assert(
      fc.property(anyBody, anyRules, (body, rules) => {
        try {
          parsePayload(body, rules, NOW).alerts.forEach(expectWithinLimits);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          expect([error.status, rules.type]).toEqual([422, 'prometheus']);
        }
      }),
      { numRuns: 500 },
    );
  });
});
