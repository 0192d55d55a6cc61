import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

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
