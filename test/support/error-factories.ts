import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { ErrorEvent, PAYLOAD_ENCODINGS } from '../../src/error-tracking/error-event.entity.js';
import { ERROR_LEVELS, ERROR_STATUS } from '../../src/error-tracking/error-values.js';
import { TrackedError } from '../../src/error-tracking/tracked-error.entity.js';
import type { TestApp } from './app.js';
import { unique } from './factories.js';

type Database = Pick<TestApp, 'dataSource'>;

export interface MadeError {
  id: number;
  projectId: number;
  type: string | null;
  value: string | null;
}

/** An unresolved error that was seen once, now, unless the attributes say otherwise. */
export async function makeError(
  { dataSource }: Database,
  project: { id: number },
  attributes: Partial<TrackedError> = {},
): Promise<MadeError> {
  const { type = 'TypeError', value = unique('x is undefined ') } = attributes;
  const now = new Date();
  const inserted = await dataSource.manager.insert(TrackedError, {
    projectId: project.id,
    status: ERROR_STATUS.unresolved,
    culprit: 'sumOf(cart)',
    platform: 'node',
    level: ERROR_LEVELS.indexOf('error'),
    firstSeenAt: attributes.lastSeenAt ?? now,
    lastSeenAt: attributes.firstSeenAt ?? now,
    eventsCount: 1,
    searchText: `${type} ${value}`.toLowerCase(),
    sampledDay: now.toISOString().slice(0, 10),
    sampledCount: 1,
    ...attributes,
    type,
    value,
  });
  const { id } = inserted.identifiers[0] as { id: number };
  return { id, projectId: project.id, type, value };
}

export interface MadeErrorEvent {
  /** Of its row. */
  id: number;
  /** 32 lowercase hex. */
  eventId: string;
}

/** A stored event of an error with what its program sent; packed as the ingest packs it. */
export async function makeErrorEvent(
  { dataSource }: Database,
  error: Pick<MadeError, 'id' | 'projectId'>,
  sent: object = {},
  attributes: Partial<ErrorEvent> = {},
): Promise<MadeErrorEvent> {
  const eventId = attributes.eventId ?? randomBytes(16).toString('hex');
  const now = new Date();
  const inserted = await dataSource.manager.insert(ErrorEvent, {
    expiresOn: dayAfter(now, 90),
    projectId: error.projectId,
    errorId: error.id,
    receivedAt: now,
    occurredAt: now,
    level: ERROR_LEVELS.indexOf('error'),
    title: 'TypeError: x is undefined',
    environment: 'production',
    payload: deflateSync(JSON.stringify({ event_id: eventId, ...sent })),
    payloadEncoding: PAYLOAD_ENCODINGS.indexOf('deflate'),
    isEnvelope: false,
    ...attributes,
    eventId,
  });
  const { id } = inserted.identifiers[0] as { id: number };
  return { id, eventId };
}

function dayAfter(date: Date, days: number): string {
  return new Date(date.getTime() + days * 86_400_000).toISOString().slice(0, 10);
}
