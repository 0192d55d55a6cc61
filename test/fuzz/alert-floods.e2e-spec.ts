import { describe, expect, it } from '@jest/globals';
import type { JsonObject, ParsingRules } from '../../src/alerts/parsing/incoming-alert.js';
import { parseAlertBody, parsePayload } from '../../src/alerts/parsing/payload.js';
import { ApiError } from '../../src/core/errors.js';
import { effortOf } from '../support/effort.js';
import { IS_FULL } from '../support/scale.js';

/** The full run holds the figure; the sample shares its machine with other tests. */
const MOST_EFFORT = IS_FULL ? 1 : 5;

const HTTP: ParsingRules = { type: 'http', mappings: [], resolvedWhen: null };
const ITEM = { labels: { alertname: 'Up' }, startsAt: '2026-03-01T10:00:00Z' };
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

/** Content of a webhook body → the body. */
const TEXTS: [string, string][] = [
  ['members', `{${Array.from({ length: 90_000 }, (_, at) => `"${at}":0`).join()}}`],
  ['digits', `{"a":${'9'.repeat(1_000_000)}}`],
  ['elements', `{"a":[${'0,'.repeat(500_000)}0]}`],
  ['quotes', `{"a":"${'\\"'.repeat(500_000)}`],
  ['NUL', `{"a":"${'\\u0000'.repeat(170_000)}"}`],
  ['backslashes', `{"a":"${'\\\\'.repeat(500_000)}\\ud834"}`],
  ['brackets', `{"a":${'[],'.repeat(300_000)}`],
];

/** Content of a parsed body → the body. */
const PAYLOADS: [string, JsonObject][] = [
  ['blanks', { title: ' '.repeat(1_000_000), fingerprint: '\t'.repeat(10_000) }],
  [
    'digits',
    { start_time: '1'.repeat(1_000_000), end_time: '2026-03-01T10:00:00.' + '1'.repeat(100_000) },
  ],
  ['nested lists', { hosts: Array(100_000).fill([['']]) }],
  ['elements', { title: 'x', list: Array(400_000).fill(0) }],
  [
    'address parts',
    {
      ...ENVELOPE,
      alerts: Array(100).fill({ ...ITEM, generatorURL: `http://p/?${'&'.repeat(10_000)}` }),
    },
  ],
  [
    'percent signs',
    {
      ...ENVELOPE,
      alerts: [{ ...ITEM, generatorURL: `http://p/?g0.expr=${'%'.repeat(1_000_000)}` }],
    },
  ],
];

function parseOrRefuse(bytes: Buffer): void {
  try {
    parseAlertBody(bytes);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

describe('floods in alert payloads', () => {
  it.each(TEXTS)('are parsed or refused at once: %s', (_name, text) => {
    const bytes = Buffer.from(text);
    expect(effortOf(() => parseOrRefuse(bytes))).toBeLessThan(MOST_EFFORT);
  });

  it.each(PAYLOADS)('are read at once: %s', (_name, payload) => {
    // As the parser builds it: the engine is slower with lists that were made with gaps.
    const body = JSON.parse(JSON.stringify(payload)) as JsonObject;
    expect(effortOf(() => parsePayload(body, HTTP, new Date()))).toBeLessThan(MOST_EFFORT);
  });
});
