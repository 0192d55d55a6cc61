import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COMPILED_EVENT_READER } from '../../../../test/support/compiled-threads.js';
import { largeEvent, SCRUBBING_SOURCE } from '../../../../test/support/sent-events.js';
import type { StoredPayload } from '../../ingest/incoming-event.js';
import { type EventContext, readEvent } from '../read-event.js';
import { UnreadableEvent } from '../unreadable-event.js';
import { EventReader } from './event-reader.service.js';

const RECEIVED: StoredPayload = { bytes: Buffer.from('zip'), encoding: 'gzip', isEnvelope: true };

const CONTEXT: Omit<EventContext, 'json'> = {
  source: { ...SCRUBBING_SOURCE, sensitiveFields: ['internal_number'] },
  headerEventId: 'fc6d8c0c43fc4630ad850ee518f1b9d0',
  sentAt: new Date('2026-03-01T09:59:59Z'),
  receivedAt: new Date('2026-03-01T10:00:00Z'),
  clientAddress: '192.0.2.7',
  received: RECEIVED,
};

const bytesOf = (event: unknown): Buffer => Buffer.from(JSON.stringify(event));

describe('the threads on which large events are read', () => {
  let reader: EventReader;
  beforeAll(() => {
    reader = new EventReader(COMPILED_EVENT_READER);
  });
  afterAll(() => reader.onApplicationShutdown());

  it.each([
    ['is clean', {}],
    ['holds secrets', { extra: { password: 'hunter2', internal_number: 7, note: 'stays' } }],
    ['is grouped by a fingerprint', { fingerprint: ['checkout', '{{ default }}'] }],
    ['is about a person', { user: { id: 7, email: 'ada@example.com' }, tags: { shop: 'Zürich' } }],
  ])('read an event that %s as it is read without them', async (_, more) => {
    const event = largeEvent(more);
    const expected = readEvent(event, { ...CONTEXT, json: JSON.stringify(event) });
    expect(await reader.read(bytesOf(event), CONTEXT)).toEqual(expected);
  });

  it('leave the bytes of the request where they are', async () => {
    const { payload } = await reader.read(bytesOf(largeEvent()), CONTEXT);
    expect(payload).toBe(RECEIVED);
  });

  it.each([
    [
      'no JSON',
      `{"a":"${'x'.repeat(20_000)}"`,
      { message: 'invalid JSON data', causes: ['not JSON'] },
    ],
    [
      'no object',
      `["${'x'.repeat(20_000)}"]`,
      { message: 'the event is no JSON object', causes: [] },
    ],
  ])('say what is wrong with %s', async (_, text, { message, causes }) => {
    const refused = await reader.read(Buffer.from(text), CONTEXT).catch((error: unknown) => error);
    expect(refused).toEqual(new UnreadableEvent(message, causes));
    expect(refused).toHaveProperty('causes', causes);
  });

  it('read many at once, each for itself', async () => {
    const ids = Array.from({ length: 40 }, (_, at) => (at + 1).toString(16).padStart(32, '0'));
    const read = await Promise.all(
      ids.map((headerEventId) =>
        reader.read(bytesOf(largeEvent({ user: { id: headerEventId } })), {
          ...CONTEXT,
          headerEventId,
        }),
      ),
    );
    expect(read.map(({ eventId }) => eventId)).toEqual(ids);
    expect(read.map(({ userLabel }) => userLabel)).toEqual(ids);
  });
});

describe('a thread that dies', () => {
  let folder: string;
  let reader: EventReader;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'threads-'));
    const file = join(folder, 'dying.mjs');
    await writeFile(
      file,
      `export function readOnThread({ clientAddress }) {
        if (clientAddress === 'deadly') process.exit(3);
        return { unreadable: { message: 'read', causes: [] } };
      }`,
    );
    reader = new EventReader(file);
  });
  afterAll(async () => {
    await reader.onApplicationShutdown();
    await rm(folder, { recursive: true });
  });

  it('takes its event along, and the next one gets a new thread', async () => {
    const bytes = bytesOf(largeEvent());
    await expect(reader.read(bytes, { ...CONTEXT, clientAddress: 'deadly' })).rejects.toThrow(
      'worker exited with code: 3',
    );
    await expect(reader.read(bytes, CONTEXT)).rejects.toThrow('read');
  });
});
