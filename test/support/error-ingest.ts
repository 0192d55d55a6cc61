import { hash, randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { ErrorIngest } from '../../src/error-tracking/ingest/error-ingest.service.js';
import type { ErrorSource, IncomingEvent } from '../../src/error-tracking/ingest/grouped-events.js';
import type { TestApp } from './app.js';
import { makeGroup, makeProject } from './project-factories.js';

/** 16 bytes that stand for a text, as grouping makes them. */
export function hashOf(text: string): Buffer {
  return hash('md5', text, 'buffer');
}

/** A new project that takes errors; besides its id only how long events are kept matters here. */
export async function makeSource(
  app: Pick<TestApp, 'app' | 'dataSource'>,
  retentionDays = 90,
): Promise<ErrorSource> {
  const group = await makeGroup(app);
  const project = await makeProject(app, { namespaceId: group.id });
  return {
    projectId: project.id,
    keyId: null,
    scrubData: true,
    scrubIpAddresses: false,
    sensitiveFields: [],
    safeFields: [],
    retentionDays,
  };
}

/** An event as it comes from the parser: of the error `name`, with an id of its own. */
export function incomingEvent(
  name: string,
  attributes: Partial<IncomingEvent> = {},
): IncomingEvent {
  const receivedAt = attributes.receivedAt ?? new Date();
  const eventId = attributes.eventId ?? randomBytes(16).toString('hex');
  const bytes = deflateSync(JSON.stringify({ event_id: eventId, message: name }), { level: 1 });
  return {
    eventId,
    receivedAt,
    occurredAt: receivedAt,
    level: 'error',
    platform: 'node',
    logger: null,
    environment: 'production',
    release: null,
    type: 'TypeError',
    value: name,
    culprit: 'sumOf(cart)',
    title: `TypeError: ${name}`,
    isUnhandled: false,
    userLabel: null,
    userHash: null,
    clientAddress: null,
    tags: new Map([['environment', 'production']]),
    hashes: [hashOf(name)],
    searchText: `typeerror ${name.toLowerCase()} sumof(cart)`,
    payload: { bytes, encoding: 'deflate', isEnvelope: false },
    ...attributes,
  };
}

/** Hands all of them over at once; resolves when all are committed. */
export async function ingest(
  { app }: Pick<TestApp, 'app'>,
  source: ErrorSource,
  events: readonly IncomingEvent[],
): Promise<void> {
  const service = app.get(ErrorIngest, { strict: false });
  await Promise.all(events.map((event) => service.receive(source, event)));
}
