import type { ErrorEvent } from '../error-event.entity.js';

/** A stored event as lists show it: all but what its program sent. */
export interface ListedEvent extends Pick<
  ErrorEvent,
  | 'id'
  | 'projectId'
  | 'errorId'
  | 'receivedAt'
  | 'occurredAt'
  | 'level'
  | 'title'
  | 'environment'
  | 'release'
  | 'userLabel'
> {
  /** 32 lowercase hex. */
  eventId: string;
}

/** A stored event with the bytes that its program sent. */
export interface StoredEvent
  extends
    ListedEvent,
    Pick<ErrorEvent, 'clientAddress' | 'payload' | 'payloadEncoding' | 'isEnvelope'> {}

/** Identifies the events of one error. */
export interface EventsOwner {
  id: number;
  projectId: number;
}

/** Columns of a `ListedEvent`, from `error_events v`. */
export const LISTED_COLUMNS = `
  v.id, v.project_id AS "projectId", v.error_id AS "errorId",
  replace(v.event_id::text, '-', '') AS "eventId", v.received_at AS "receivedAt",
  v.occurred_at AS "occurredAt", v.level, v.title, v.environment, v.release,
  v.user_label AS "userLabel"`;

/** Columns of a `StoredEvent`; the bytes make them too heavy for lists. */
export const STORED_COLUMNS = `${LISTED_COLUMNS},
  v.client_address AS "clientAddress", v.payload, v.payload_encoding AS "payloadEncoding",
  v.is_envelope AS "isEnvelope"`;
