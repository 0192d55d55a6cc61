import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ErrorGroup } from './error-group.entity.js';

/** The searched text of an error, which triggers copy from `ErrorGroup.searchText`. */
@Entity('error_texts')
@Index('ix_error_texts_search', { synchronize: false })
export class ErrorText {
  @ForeignKey(() => ErrorGroup, { name: 'fk_error_texts_error', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'bigint', name: 'error_id', primaryKeyConstraintName: 'pk_error_texts' })
  errorId: number;

  @Column({ type: 'text', name: 'text' })
  text: string;
}

/** Encodings of stored payloads; rows store the position in this list. */
export const PAYLOAD_ENCODINGS = ['identity', 'gzip', 'deflate', 'br'] as const;
export type PayloadEncoding = (typeof PAYLOAD_ENCODINGS)[number];

/**
 * A stored event, partitioned by the day on which it can go: retention of all projects, each with
 * its own number of days, is then to drop partitions. Events of the partition `kept` (which expires
 * on 9999-12-31) stay as long as their error: its first and its newest one. No foreign keys: a
 * trigger of `errors` removes events with their error.
 */
@Entity('error_events')
@Index('ix_error_events_error', ['errorId', 'id'])
@Index('ix_error_events_event', ['projectId', 'eventId'])
export class ErrorEvent {
  @PrimaryColumn({
    type: 'date',
    name: 'expires_on',
    primaryKeyConstraintName: 'pk_error_events',
  })
  expiresOn: string;

  @PrimaryColumn({
    type: 'bigint',
    name: 'id',
    generated: 'identity',
    primaryKeyConstraintName: 'pk_error_events',
  })
  id: number;

  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  @Column({ type: 'bigint', name: 'error_id' })
  errorId: number;

  @Column({ type: 'uuid', name: 'event_id' })
  eventId: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'received_at' })
  receivedAt: Date;

  /** Time of the event by the program's clock, corrected. */
  @Column({ type: 'timestamptz', precision: 3, name: 'occurred_at' })
  occurredAt: Date;

  /** Position in ERROR_LEVELS. */
  @Column({ type: 'smallint', name: 'level' })
  level: number;

  /** Line that distinguishes the event from others of its error; up to 255 characters. */
  @Column({ type: 'text', name: 'title' })
  title: string;

  @Column({ type: 'text', name: 'environment' })
  environment: string;

  @Column({ type: 'text', name: 'release', nullable: true })
  release: string | null;

  /** Display name of the affected user; up to 255 characters. */
  @Column({ type: 'text', name: 'user_label', nullable: true })
  userLabel: string | null;

  /** Replacement for `{{auto}}` in the payload. */
  @Column({ type: 'text', name: 'client_address', nullable: true })
  clientAddress: string | null;

  /** Bytes as received or, after scrubbing, compressed again. */
  @Column({ type: 'bytea', name: 'payload' })
  payload: Buffer;

  /** Position in PAYLOAD_ENCODINGS. */
  @Column({ type: 'smallint', name: 'payload_encoding' })
  payloadEncoding: number;

  /** True if the payload is an envelope that contains the event; else it is the event. */
  @Column({ type: 'boolean', name: 'is_envelope' })
  isEnvelope: boolean;
}

/**
 * IDs of the events of the last days, stored or not, which identify duplicates. Partitioned by day;
 * it has no foreign keys, so that a day can be dropped on its own.
 */
@Entity('error_event_ids')
export class ErrorEventId {
  /** Day (UTC) of arrival. */
  @PrimaryColumn({ type: 'date', name: 'day', primaryKeyConstraintName: 'pk_error_event_ids' })
  day: string;

  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_error_event_ids',
  })
  projectId: number;

  @PrimaryColumn({
    type: 'uuid',
    name: 'event_id',
    primaryKeyConstraintName: 'pk_error_event_ids',
  })
  eventId: string;
}
