import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Alert } from './alert.entity.js';

export const REACTION_KINDS = [
  'open_incident',
  'close_incident',
  'mail_firing',
  'mail_recovery',
] as const;
export type ReactionKind = (typeof REACTION_KINDS)[number];

/**
 * Work about an alert that a worker has yet to do, written in the transaction of its cause and
 * deleted in the transaction of its effect.
 */
@Entity('alert_reactions')
@Index('ix_alert_reactions_due', ['notBefore', 'id'])
@Index('ix_alert_reactions_alert', ['alertId'])
@Index('uq_alert_reactions_open_incident', ['alertId'], {
  unique: true,
  where: `"kind" = 'open_incident'`,
})
@Check(
  'ck_alert_reactions_kind',
  `"kind" IN ('open_incident', 'close_incident', 'mail_firing', 'mail_recovery')`,
)
export class AlertReaction {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_alert_reactions',
  })
  id: number;

  @ForeignKey(() => Alert, { name: 'fk_alert_reactions_alert', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'alert_id' })
  alertId: number;

  @Column({ type: 'text', name: 'kind' })
  kind: ReactionKind;

  /** Number of events that the reaction stands for. */
  @Column({ type: 'integer', name: 'events', default: 1 })
  events: number;

  @Column({ type: 'integer', name: 'attempts', default: 0 })
  attempts: number;

  /** Not to be tried before. */
  @Column({ type: 'timestamptz', precision: 3, name: 'not_before', default: () => 'now()' })
  notBefore: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
