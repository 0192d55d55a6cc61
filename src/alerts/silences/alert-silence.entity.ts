import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { User } from '../../identity/users/user.entity.js';
import { Project } from '../../workspace/projects/project.entity.js';

/** Attributes of alerts that a silence can match. */
export const MATCHER_NAMES = ['title', 'environment', 'severity', 'fingerprint'] as const;
export type MatcherName = (typeof MATCHER_NAMES)[number];

/** States of a silence at a moment. */
export const SILENCE_STATES = ['active', 'pending', 'expired'] as const;
export type SilenceState = (typeof SILENCE_STATES)[number];

/** Condition on one attribute of an alert. */
export interface Matcher {
  name: MatcherName;
  /** `*` stands for any text, `\*` for an asterisk. */
  value: string;
  /** The same as a LIKE pattern. */
  pattern: string;
  /** False: the attribute must not match the value. */
  isEqual: boolean;
}

/** Time in which alerts that all matchers match cause no incidents and no emails. */
@Entity('alert_silences')
@Index('ix_alert_silences_project_ends_at', ['projectId', 'endsAt', 'id'])
@Index('ix_alert_silences_author', ['authorId'], { where: '"author_id" IS NOT NULL' })
@Index('ix_alert_silences_ends_at', ['endsAt'])
@Check('ck_alert_silences_times', `"ends_at" >= "starts_at"`)
@Check('ck_alert_silences_comment', `char_length("comment") BETWEEN 1 AND 1000`)
@Check('ck_alert_silences_matchers', `jsonb_array_length("matchers") BETWEEN 1 AND 10`)
export class AlertSilence {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_alert_silences',
  })
  id: number;

  @ForeignKey(() => Project, { name: 'fk_alert_silences_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  @ForeignKey(() => User, { name: 'fk_alert_silences_author', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'author_id', nullable: true })
  authorId: number | null;

  @Column({ type: 'jsonb', name: 'matchers' })
  matchers: Matcher[];

  @Column({ type: 'text', name: 'comment' })
  comment: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'starts_at' })
  startsAt: Date;

  /** Moved to the present when the silence is expired early. */
  @Column({ type: 'timestamptz', precision: 3, name: 'ends_at' })
  endsAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
