import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../parsing/json-values.js';
import { eventDetails, type EventDetails } from './event-details.js';
import { failedFrames } from './trace-details.js';

const ROW = {
  id: 1,
  projectId: 2,
  errorId: 3,
  eventId: '9ec79c33ec9942ab8353589fcb2e04dc',
  receivedAt: new Date('2026-03-01T10:00:01Z'),
  occurredAt: new Date('2026-03-01T10:00:00Z'),
  level: 3,
  title: 'TypeError',
  environment: 'production',
  release: null,
  userLabel: null,
  clientAddress: null,
};

const read = (event: JsonObject | null): EventDetails => eventDetails(ROW, event);

/** One exception with these frames. */
const thrown = (frames: unknown): JsonObject => ({
  exception: { values: [{ type: 'E', stacktrace: { frames } }] },
});

describe('details of an event', () => {
  it('are empty where the program sent nothing', () => {
    expect(read({})).toEqual({
      eventId: ROW.eventId,
      occurredAt: ROW.occurredAt,
      receivedAt: ROW.receivedAt,
      title: 'TypeError',
      message: null,
      level: 'error',
      platform: 'other',
      logger: null,
      environment: 'production',
      release: null,
      dist: null,
      serverName: null,
      transaction: null,
      sdk: null,
      exceptions: [],
      threads: [],
      breadcrumbs: [],
      tags: [],
      user: null,
      request: null,
      contexts: [],
      extra: [],
      modules: [],
      isCut: false,
      isDamaged: false,
    });
    expect(read(null)).toMatchObject({ isDamaged: true, exceptions: [] });
  });

  it('accept every type in a field', () => {
    const details = read({
      message: { message: 'Hello %s', formatted: 'Hello you' },
      exception: [{ type: 'A', value: { code: 7 } }, null, 'text'],
      breadcrumbs: { values: [{ message: 'one', timestamp: '1772359199.5' }, 3] },
      tags: [['a', 1], ['b', true], ['c'], 'd'],
      user: { id: 0, email: null },
      request: { query_string: [['q', 'x']], cookies: { a: 1 }, headers: { Host: ['h'] } },
      contexts: { os: { name: 'Linux' }, none: null, list: [] },
      modules: [['express', '5']],
    });
    expect(details).toMatchObject({
      message: 'Hello you',
      exceptions: [{ type: 'A', value: '{"code":7}' }],
      breadcrumbs: [{ message: 'one', at: new Date('2026-03-01T09:59:59.5Z') }],
      tags: [
        ['a', '1'],
        ['b', 'true'],
      ],
      user: { id: '0', email: null },
      request: {
        query: [['q', 'x']],
        cookies: [['a', '1']],
        headers: [['Host', '["h"]']],
        data: null,
      },
      contexts: [{ name: 'os', fields: [['name', 'Linux']] }],
      modules: [['express', '5']],
    });
  });

  it('number the lines of source from that of the frame, or from 1 where it has none', () => {
    const lines = { pre_context: ['a', ''], context_line: 'b', post_context: ['c'] };
    const [known, unknown, none] = read(thrown([{ ...lines, lineno: 10 }, lines, {}]))
      .exceptions[0]!.frames;
    expect(known).toMatchObject({
      context: [
        [8, 'a'],
        [9, ''],
        [10, 'b'],
        [11, 'c'],
      ],
      failingLine: 10,
    });
    expect(unknown).toMatchObject({ failingLine: 3 });
    expect(none).toMatchObject({ context: [], failingLine: null });
  });

  it('treat all code as application code unless frames are marked', () => {
    const own = (frames: unknown): boolean[] =>
      read(thrown(frames)).exceptions[0]!.frames.map(({ isInApp }) => isInApp);
    expect(own([{ function: 'a' }, { function: 'b' }])).toEqual([true, true]);
    expect(own([{ in_app: true }, { in_app: false }, {}])).toEqual([true, false, false]);
  });

  it('show the stack of the failed thread where no exception has one', () => {
    const threads = [
      { id: 1, current: true, stacktrace: { frames: [{ function: 'wait' }] } },
      { id: 2, crashed: true, stacktrace: { frames: [{ function: 'fail' }] } },
    ];
    const native = read({ exception: { values: [{ type: 'SIGSEGV' }] }, threads });
    expect(native.threads.map(({ id, frames }) => [id, frames.length])).toEqual([
      ['2', 1],
      ['1', 0],
    ]);
    expect(failedFrames(native)).toMatchObject([{ function: 'fail' }]);
    const both = read({ ...thrown([{ function: 'own' }]), threads });
    expect(both.threads.flatMap(({ frames }) => frames)).toEqual([]);
    expect(failedFrames(both)).toMatchObject([{ function: 'own' }]);
  });

  it('have the address that SDKs leave to the server to see', () => {
    const addressOf = (event: JsonObject, clientAddress: string | null = '192.0.2.7') =>
      eventDetails({ ...ROW, clientAddress }, event).user?.ipAddress;
    expect(addressOf({ user: { ip_address: '{{auto}}' } })).toBe('192.0.2.7');
    expect(addressOf({ user: { ip_address: '{{auto}}' } }, null)).toBeNull();
    expect(addressOf({ user: { id: 7 } })).toBe('192.0.2.7');
    expect(addressOf({})).toBe('192.0.2.7');
    expect(addressOf({ user: { ip_address: '198.51.100.1' } })).toBe('198.51.100.1');
  });
});

describe('bounds of the details', () => {
  it('mark truncated parts', () => {
    const many = (length: number): unknown[] => Array.from({ length }, (_, at) => ({ lineno: at }));
    const frames = read(thrown(many(1_000)));
    expect([frames.exceptions[0]?.frames.length, frames.isCut]).toEqual([250, true]);
    expect(frames.exceptions[0]?.frames.at(-1)?.line).toBe(999);
    const values = many(50).map(() => ({ stacktrace: { frames: many(250) } }));
    const chain = read({ exception: { values } });
    const counts = chain.exceptions.map((exception) => exception.frames.length);
    expect([counts.slice(-5), chain.isCut]).toEqual([[0, 250, 250, 250, 250], true]);
    expect(read({ message: 'x'.repeat(8_192) })).toMatchObject({ isCut: false });
    const long = read({ message: 'x'.repeat(8_193) });
    expect([long.message?.length, long.isCut]).toEqual([8_192, true]);
    expect(read({ breadcrumbs: many(201) })).toMatchObject({ isCut: true });
    expect(read({ extra: Object.fromEntries(many(201).entries()) })).toMatchObject({ isCut: true });
  });

  it('hold for values nested without end', () => {
    const deep = JSON.parse('{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)) as JsonObject;
    const details = read({ extra: { deep }, contexts: { deep }, user: { deep }, tags: deep });
    expect(details.extra[0]?.[1]).toContain('…');
  });

  it('hold for any event', () => {
    const names = ['exception', 'threads', 'breadcrumbs', 'tags', 'user', 'request', 'contexts'];
    const field = fc.constantFrom(...names, 'extra', 'modules', 'message', 'logentry', 'sdk');
    const event = fc.dictionary(field, fc.jsonValue({ maxDepth: 6 }));
    fc.assert(
      fc.property(event, (sent) => {
        expect(JSON.stringify(read(sent)).length).toBeLessThan(1_000_000);
      }),
      { numRuns: 300 },
    );
  });
});
