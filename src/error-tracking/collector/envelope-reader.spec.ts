import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IngestError } from './ingest-error.js';
import { EnvelopeReader, readEnvelope } from './envelope-reader.js';

const MIB = 1_048_576;
const ID = '9ec79c33ec9942ab8353589fcb2e04dc';
const H = `{"event_id":"${ID}"}`;
const EVENT = '{"message":"hello world","level":"error"}';
const ATTACHMENT = '{"type":"attachment","length":10,"filename":"hello.txt"}\n\ufeffHello\r\n';

interface Read {
  event: string | null;
  types: string[];
}

function read(text: string | Buffer): Read {
  const { event, types } = readEnvelope(Buffer.from(text));
  return { event: event?.toString() ?? null, types };
}

/** Status and reason of the refusal. */
function refusalOf(text: string | Buffer): [number, unknown] {
  try {
    readEnvelope(Buffer.from(text));
  } catch (error) {
    if (error instanceof IngestError) return [error.status, error.body['detail']];
    throw error;
  }
  throw new Error('it was not refused');
}

const READ: [string, string, Read][] = [
  [
    'an event up to the end',
    `${H}\n{"type":"event"}\n${EVENT}`,
    { event: EVENT, types: ['event'] },
  ],
  [
    'an event with an end of line',
    `${H}\n{"type":"event"}\n${EVENT}\n`,
    { event: EVENT, types: ['event'] },
  ],
  [
    'a stated length after an attachment',
    `${H}\n${ATTACHMENT}\n{"type":"event","length":41}\n${EVENT}\n`,
    { event: EVENT, types: ['attachment', 'event'] },
  ],
  [
    'the same without the last end of line',
    `${H}\n${ATTACHMENT}\n{"type":"event","length":41}\n${EVENT}`,
    { event: EVENT, types: ['attachment', 'event'] },
  ],
  [
    'empty attachments',
    `${H}\n{"type":"attachment","length":0}\n\n{"type":"attachment","length":0}\n`,
    { event: null, types: ['attachment', 'attachment'] },
  ],
  ['headers only', '{}', { event: null, types: [] }],
  ['headers with an end of line', '{}\n', { event: null, types: [] }],
  ['an item without payload at the end', '{}\n{"type":"x"}\n', { event: null, types: ['x'] }],
  [
    'an unknown type with ends of lines in it',
    `${H}\n{"type":"brand_new","length":3}\na\nb\n{"type":"event"}\n{}`,
    { event: '{}', types: ['brand_new', 'event'] },
  ],
  [
    'blank lines anywhere between items',
    `${H}\n\n\n{"type":"session"}\n{}\n\n{"type":"event"}\n{}\n\n\n`,
    { event: '{}', types: ['session', 'event'] },
  ],
  ['no type', `${H}\n{}\nx\n{"type":7}\ny`, { event: null, types: ['', ''] }],
  [
    'a length of null',
    `${H}\n{"type":"event","length":null}\n{}`,
    { event: '{}', types: ['event'] },
  ],
  [
    'the first of two events',
    `${H}\n{"type":"event"}\n1\n{"type":"event"}\n2`,
    { event: '1', types: ['event', 'event'] },
  ],
  ['an empty event', `${H}\n{"type":"event","length":0}\n`, { event: '', types: ['event'] }],
];

const REFUSED: [string, string | Buffer, string][] = [
  ['nothing', '', 'empty request body'],
  ['an end of line', '\n', 'invalid event envelope'],
  ['a list', '[]\n', 'invalid event envelope'],
  ['null', 'null', 'invalid event envelope'],
  ['a text', '"a"\n', 'invalid event envelope'],
  ['a byte that is no text', Buffer.from([0x8b]), 'invalid event envelope'],
  ['item headers that are no JSON', `${H}\nTHIS IS NOT JSON\n{}`, 'invalid item header'],
  [
    'an end after item headers',
    '{}\n{"type":"event"}',
    'malformed envelope: an item has no payload',
  ],
  [
    'an end after a length of 0',
    '{}\n{"type":"event","length":0}',
    'malformed envelope: an item has no payload',
  ],
  [
    'a length of one too many',
    `${H}\n{"type":"event","length":42}\n${EVENT}`,
    'malformed envelope: an item is cut off',
  ],
  [
    'a length of one too few',
    `${H}\n{"type":"event","length":40}\n${EVENT}`,
    'malformed envelope: an item is longer than its length',
  ],
  [
    'a length that is a text',
    `${H}\n{"type":"event","length":"41"}\n${EVENT}`,
    'invalid item length',
  ],
  ['a length below 0', `${H}\n{"type":"event","length":-1}\n${EVENT}`, 'invalid item length'],
  [
    'a length with a fraction',
    `${H}\n{"type":"event","length":1.5}\n${EVENT}`,
    'invalid item length',
  ],
];

const TOO_LARGE: [string, string][] = [
  ['an event of 1 MiB and a byte', `${H}\n{"type":"event"}\n${'x'.repeat(MIB + 1)}`],
  ['a stated length of that', `${H}\n{"type":"event","length":${MIB + 1}}\n`],
  ['a second event of that', `${H}\n{"type":"event"}\n1\n{"type":"event"}\n${'x'.repeat(MIB + 1)}`],
  ['a transaction of that', `${H}\n{"type":"transaction"}\n${'x'.repeat(MIB + 1)}`],
  ['headers of 9 KiB', `{"trace":"${'x'.repeat(9 * 1024)}"}\n`],
  ['headers of 9 KiB that never end', `{"trace":"${'x'.repeat(9 * 1024)}`],
  ['item headers of 9 KiB', `{}\n{"type":"${'x'.repeat(9 * 1024)}"}\n`],
  ['101 items', `{}${'\n{"type":"session"}\n{}'.repeat(101)}`],
];

describe('reading an envelope', () => {
  it.each(READ)('takes %s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each(REFUSED)('refuses %s', (_, text, reason) => {
    expect(refusalOf(text)).toEqual([400, `400 Bad request - ${reason}`]);
  });

  it.each(TOO_LARGE)('refuses %s as too large', (_, text) => {
    expect(refusalOf(text)).toEqual([413, '413 Request Entity Too Large']);
  });

  it('takes an event of 1 MiB, and 100 items', () => {
    expect(read(`${H}\n{"type":"event"}\n${'x'.repeat(MIB)}`).event).toHaveLength(MIB);
    expect(read(`{}${'\n{"type":"session"}\n{}'.repeat(100)}`).types).toHaveLength(100);
  });

  it('reads headers in every form, and ignores those that it cannot read', () => {
    const header = (value: object) => readEnvelope(Buffer.from(JSON.stringify(value))).header;
    const dashed = '9EC79C33-EC99-42AB-8353-589FCB2E04DC';
    const sent = '2026-03-01T10:00:00.5Z';
    const dsn = 'https://key:secret@host:8080/prefix/42';
    expect(header({ event_id: dashed, sent_at: sent, dsn })).toEqual({
      eventId: ID,
      sentAt: new Date(sent),
      dsn: { publicKey: 'key', project: '42' },
    });
    const unreadable = { event_id: 'x', sent_at: 'garbage', dsn: 'http://host/42' };
    expect(header(unreadable)).toEqual({ eventId: null, sentAt: null, dsn: null });
    const mistyped = { event_id: 7, sent_at: {}, dsn: [] };
    expect(header(mistyped)).toEqual({ eventId: null, sentAt: null, dsn: null });
  });

  it('keeps client reports, but none that is huge', () => {
    const huge = `{"type":"client_report","length":100000}\n${'x'.repeat(100_000)}`;
    const text = `{}\n{"type":"client_report"}\n{"a":1}\n${huge}\n{"type":"client_report"}\n{}`;
    expect(readEnvelope(Buffer.from(text)).reports.map(String)).toEqual(['{"a":1}', '{}']);
  });

  it('detects unneeded content', () => {
    const isTight = (text: string) => readEnvelope(Buffer.from(text)).isTight;
    expect(isTight(`${H}\n{"type":"event"}\n{}\n`)).toBe(true);
    expect(isTight(`${H}\n\n{"type":"event"}\n{}`)).toBe(false);
  });

  it('gives the same result however the bytes are cut', () => {
    const texts = [...READ.map(([, text]) => text), ...REFUSED.map(([, text]) => text)];
    const cut = fc.record({
      text: fc.constantFrom(...texts),
      sizes: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
    });
    fc.assert(
      fc.property(cut, ({ text, sizes }) => {
        const bytes = Buffer.from(text);
        expect(outcomeOf(() => inPieces(bytes, sizes))).toEqual(
          outcomeOf(() => readEnvelope(bytes)),
        );
      }),
    );
  });

  it('holds no more than what is kept', () => {
    let held = 0;
    const reader = new EnvelopeReader((size) => (held += size));
    reader.push(Buffer.from('{}\n{"type":"attachment","length":52428800}\n'));
    for (let part = 0; part < 50; part += 1) reader.push(Buffer.alloc(MIB));
    reader.push(Buffer.from('\n{"type":"event"}\n{"a":1}'));
    expect(reader.end().event?.toString()).toBe('{"a":1}');
    expect(held).toBe(7);
  });
});

function inPieces(bytes: Buffer, sizes: number[]): unknown {
  const reader = new EnvelopeReader();
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    reader.push(bytes.subarray(at, at + size));
    at += size;
  }
  return reader.end();
}

function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof IngestError) return [error.status, error.body];
    throw error;
  }
}
