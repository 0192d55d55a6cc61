import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  PrimaryColumn,
} from 'typeorm';
import { TimestampColumns } from '../core/sql/timestamp-columns.js';
import { Environment } from '../workspace/environments/environments.repository.js';
import { Issue } from '../workspace/issues/issue.entity.js';
import { Project } from '../workspace/projects/project.entity.js';
import { User } from '../identity/users/user.entity.js';
import { AlertIntegration } from './alert-integration.entity.js';

/**
 * Problem that a monitoring tool reported, as one row for all of its events. At most one unresolved
 * alert of a project has the same fingerprint. Repetitions only change `event_count`, `last_event_at`
 * and, once an hour, the totals, which no index contains, so that PostgreSQL updates the row in place.
 */
@Entity('alerts')
@Index('ix_alerts_search', { synchronize: false })
@Index('uq_alerts_project_iid', ['projectId', 'iid'], { unique: true })
@Index('uq_alerts_open_fingerprint', ['fingerprint', 'projectId'], {
  unique: true,
  where: '"fingerprint" IS NOT NULL AND "status" <> 2',
})
@Index('ix_alerts_project_started_at', ['projectId', 'startedAt', 'id'])
@Index('ix_alerts_project_status', ['projectId', 'status', 'startedAt', 'id'])
@Index('ix_alerts_issue', ['issueId'], { where: '"issue_id" IS NOT NULL' })
@Index('ix_alerts_assignee', ['assigneeId'], { where: '"assignee_id" IS NOT NULL' })
@Index('ix_alerts_integration', ['integrationId'])
@Index('ix_alerts_environment', ['environmentId'], { where: '"environment_id" IS NOT NULL' })
@Check('ck_alerts_severity', `"severity" BETWEEN 0 AND 5`)
@Check('ck_alerts_status', `"status" BETWEEN 0 AND 3`)
@Check('ck_alerts_ended', `("status" = 2) = ("ended_at" IS NOT NULL)`)
@Check('ck_alerts_fingerprint', `octet_length("fingerprint") = 20`)
@Check('ck_alerts_event_count', `"event_count" > 0`)
@Check('ck_alerts_hour_totals', `("hour_totals" IS NULL) = ("totals_hour" IS NULL)`)
export class Alert extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_alerts' })
  id: number;

  @ForeignKey(() => Project, { name: 'fk_alerts_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  /** Number within the project, from 1 on; never given twice. */
  @Column({ type: 'bigint', name: 'iid' })
  iid: number;

  @ForeignKey(() => AlertIntegration, { name: 'fk_alerts_integration', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'integration_id', nullable: true })
  integrationId: number | null;

  @ForeignKey(() => Environment, { name: 'fk_alerts_environment', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'environment_id', nullable: true })
  environmentId: number | null;

  @ForeignKey(() => Issue, { name: 'fk_alerts_issue', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'issue_id', nullable: true })
  issueId: number | null;

  @ForeignKey(() => User, { name: 'fk_alerts_assignee', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'assignee_id', nullable: true })
  assigneeId: number | null;

  @Column({ type: 'text', name: 'title' })
  title: string;

  @Column({ type: 'text', name: 'description', nullable: true })
  description: string | null;

  @Column({ type: 'text', name: 'service', nullable: true })
  service: string | null;

  @Column({ type: 'text', name: 'monitoring_tool', nullable: true })
  monitoringTool: string | null;

  /** Position in ALERT_SEVERITIES. */
  @Column({ type: 'smallint', name: 'severity' })
  severity: number;

  /** Position in ALERT_STATUSES. */
  @Column({ type: 'smallint', name: 'status', default: 0 })
  status: number;

  /** SHA-1; null for some of the oldest alerts. */
  @Column({ type: 'bytea', name: 'fingerprint', nullable: true })
  fingerprint: Buffer | null;

  @Column({ type: 'text', array: true, name: 'hosts', default: '{}' })
  hosts: string[];

  @Column({ type: 'text', name: 'runbook', nullable: true })
  runbook: string | null;

  @Column({ type: 'text', name: 'query', nullable: true })
  query: string | null;

  @Column({ type: 'text', name: 'y_label', nullable: true })
  yLabel: string | null;

  @Column({ type: 'text', name: 'incident_markdown', nullable: true })
  incidentMarkdown: string | null;

  /** Payload as it was received. */
  @Column({ type: 'json', name: 'payload' })
  payload: unknown;

  @Column({ type: 'bigint', name: 'event_count', default: 1 })
  eventCount: number;

  /**
   * `eventCount` at the beginning of up to 24 hours until `totalsHour`, oldest first; null while all
   * events are of the hour in which it was created.
   */
  @Column({ type: 'bigint', array: true, name: 'hour_totals', nullable: true })
  hourTotals: number[] | null;

  /** The hour of the latest event, counted from 1970 UTC. */
  @Column({ type: 'integer', name: 'totals_hour', nullable: true })
  totalsHour: number | null;

  /** Time of the last firing event. */
  @Column({ type: 'timestamptz', precision: 3, name: 'last_event_at', default: () => 'now()' })
  lastEventAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'started_at' })
  startedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'ended_at', nullable: true })
  endedAt: Date | null;
}

/** The highest number that a project has given to an alert. */
@Entity('alert_counters')
export class AlertCounter {
  @ForeignKey(() => Project, { name: 'fk_alert_counters_project', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_alert_counters',
  })
  projectId: number;

  @Column({ type: 'bigint', name: 'last_iid' })
  lastIid: number;
}
