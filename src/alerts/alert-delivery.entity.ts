import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { AlertIntegration } from './alert-integration.entity.js';

export const DELIVERY_SOURCES = ['webhook', 'test', 'replay'] as const;
export type DeliverySource = (typeof DELIVERY_SOURCES)[number];

/** One call of an integration's webhook and how it ended; the latest are kept for people to see. */
@Entity('alert_deliveries')
@Index('ix_alert_deliveries_integration', ['integrationId', 'id'])
@Check('ck_alert_deliveries_source', `"source" IN ('webhook', 'test', 'replay')`)
export class AlertDelivery {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_alert_deliveries',
  })
  id: number;

  @ForeignKey(() => AlertIntegration, {
    name: 'fk_alert_deliveries_integration',
    onDelete: 'CASCADE',
  })
  @Column({ type: 'bigint', name: 'integration_id' })
  integrationId: number;

  @Column({ type: 'text', name: 'source', default: 'webhook' })
  source: DeliverySource;

  /** HTTP status of the answer. */
  @Column({ type: 'smallint', name: 'status' })
  status: number;

  /** Bytes of the body. */
  @Column({ type: 'integer', name: 'size' })
  size: number;

  /** Reason for the refusal; null if accepted. */
  @Column({ type: 'text', name: 'error', nullable: true })
  error: string | null;

  /** Refused calls that came together and alike are one row. */
  @Column({ type: 'integer', name: 'calls', default: 1 })
  calls: number;

  /** Numbers of the alerts that were created, updated or resolved. */
  @Column({ type: 'bigint', array: true, name: 'alert_iids', default: '{}' })
  alertIids: number[];

  /** The body as it came, for sending it again; null when it was too large to keep. */
  @Column({ type: 'bytea', name: 'payload', nullable: true })
  payload: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
