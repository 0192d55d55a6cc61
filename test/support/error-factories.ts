import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { ErrorEvent, PAYLOAD_ENCODINGS } from '../../src/error-tracking/error-event.entity.js';
import { ErrorTag, ErrorGroup, ErrorTrend } from '../../src/error-tracking/error-group.entity.js';
import { ErrorOutcome } from '../../src/error-tracking/error-outcomes.repository.js';
import {
  ERROR_LEVELS,
  ERROR_OUTCOMES,
  ERROR_STATUS,
  type ErrorOutcomeKind,
} from '../../src/error-tracking/error-values.js';
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
  attributes: Partial<ErrorGroup> = {},
): Promise<MadeError> {
  const { type = 'TypeError', value = unique('x is undefined ') } = attributes;
  const now = new Date();
  const inserted = await dataSource.manager.insert(ErrorGroup, {
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

interface EventOptions extends Partial<ErrorEvent> {
  /** Event that the program sent. */
  sent?: object;
}

/** A stored event of an error, packed as the ingest packs those with something to hide. */
export async function makeErrorEvent(
  { dataSource }: Database,
  error: Pick<MadeError, 'id' | 'projectId'>,
  { sent = {}, ...attributes }: EventOptions = {},
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

interface OutcomeOptions extends Partial<Omit<ErrorOutcome, 'projectId' | 'outcome'>> {
  outcome?: ErrorOutcomeKind;
}

/** One accepted event of today unless the options say otherwise. */
export async function makeOutcome(
  { dataSource }: Database,
  project: { id: number },
  { outcome = 'accepted', ...options }: OutcomeOptions,
): Promise<void> {
  await dataSource.manager.insert(ErrorOutcome, {
    day: dayAfter(new Date(), 0),
    category: 'error',
    reason: '',
    quantity: 1,
    ...options,
    projectId: project.id,
    outcome: ERROR_OUTCOMES.indexOf(outcome),
  });
}

interface TaggedError extends Pick<MadeError, 'id' | 'projectId'> {
  /** Number of events with the tags; one by default. */
  tagged?: number;
}

/** Values of tags that events of the error had. */
export async function tagError(
  { dataSource }: Database,
  { id, projectId, tagged: eventsCount = 1 }: TaggedError,
  tags: Record<string, string>,
): Promise<void> {
  const rows = Object.entries(tags).map(([key, value]) => ({
    errorId: id,
    projectId,
    key,
    value,
    eventsCount,
    lastSeenAt: new Date(),
  }));
  await dataSource.manager.insert(ErrorTag, rows);
}

/** Events of the error in the hour so many hours before the current one. */
export async function countInHour(
  { dataSource }: Database,
  { id }: Pick<MadeError, 'id'>,
  { hoursAgo, count }: { hoursAgo: number; count: number },
): Promise<void> {
  const hour = new Date((Math.floor(Date.now() / 3_600_000) - hoursAgo) * 3_600_000);
  await dataSource.manager.insert(ErrorTrend, { errorId: id, hour, eventsCount: count });
}
