import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * One security-relevant change. Append only; ids are plain numbers without foreign keys and the
 * names are copies, filled in by a trigger, so that the trail outlives what it speaks of.
 */
@Entity('audit_events')
@Index('ix_audit_events_target', ['targetType', 'targetId', 'id'])
@Index('ix_audit_events_entity', ['entityType', 'entityId', 'id'])
@Index('ix_audit_events_author', ['authorId', 'id'])
@Index('ix_audit_events_created_at', ['createdAt'])
export class AuditEvent {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_audit_events',
  })
  id: number;

  /** User who caused the event; null = the system or the command line. */
  @Column({ type: 'bigint', name: 'author_id', nullable: true })
  authorId: number | null;

  /** The author's name at that time; of the command line who ran the command. */
  @Column({ type: 'text', name: 'author_name', nullable: true })
  authorName: string | null;

  /** The administrator behind a sudo request, else null. */
  @Column({ type: 'bigint', name: 'impersonator_id', nullable: true })
  impersonatorId: number | null;

  @Column({ type: 'text', name: 'impersonator_name', nullable: true })
  impersonatorName: string | null;

  /** `<noun>_<verb>`, for example `member_created`. */
  @Column({ type: 'text', name: 'action' })
  action: string;

  @Column({ type: 'text', name: 'target_type' })
  targetType: string;

  @Column({ type: 'bigint', name: 'target_id', nullable: true })
  targetId: number | null;

  /** Username, full path, title or name of the target at that time. */
  @Column({ type: 'text', name: 'target_name', nullable: true })
  targetName: string | null;

  /** Whose trail it belongs to: `User`, `Group`, `Project` or `Instance`. */
  @Column({ type: 'text', name: 'entity_type' })
  entityType: string;

  /** null = the instance. */
  @Column({ type: 'bigint', name: 'entity_id', nullable: true })
  entityId: number | null;

  /** Username or full path of the entity at that time. */
  @Column({ type: 'text', name: 'entity_path', nullable: true })
  entityPath: string | null;

  /** Address of the client; null = the command line or the system. */
  @Column({ type: 'inet', name: 'ip_address', nullable: true })
  ipAddress: string | null;

  @Column({ type: 'jsonb', name: 'details', default: {} })
  details: object;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** An audit event that is still to be sent to AUDIT_STREAM_URL. */
@Entity('audit_deliveries')
@Index('ix_audit_deliveries_due', ['notBefore', 'id'])
export class AuditDelivery {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_audit_deliveries',
  })
  id: number;

  /** Without a foreign key: audit events are never deleted, and it would change how TRUNCATE is refused. */
  @Column({ type: 'bigint', name: 'audit_event_id' })
  auditEventId: number;

  @Column({ type: 'integer', name: 'attempts', default: 0 })
  attempts: number;

  /** End of the lease of a worker that is sending it. */
  @Column({ type: 'timestamptz', precision: 3, name: 'not_before', default: () => 'now()' })
  notBefore: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
