import { Injectable } from '@nestjs/common';
import { STATUS } from '../../alerts/alert-values.js';
import { Sql } from '../../core/sql/sql.service.js';
import { ERROR_STATUS } from '../../error-tracking/error-values.js';
import { PROJECT_ABILITIES, type ProjectAbility } from '../../identity/members/abilities.js';
import { ROLES } from '../../identity/members/roles.js';
import { authorizedProjectSql, ownProjectsSql } from '../../identity/members/sql/access.js';

/** Projects with the latest activity whose alerts and errors are looked at. */
const MAX_PROJECTS = 500;
/** Errors with the latest events of each project, of which the new and regressed ones count. */
const RECENT_ERRORS = 20;

/** An alert of one of the viewer's projects that is not resolved. */
export interface HomeAlert {
  iid: number;
  title: string;
  severity: number;
  status: number;
  startedAt: Date;
  fullPath: string;
}

/** An unresolved error of one of the viewer's projects that is new or has regressed. */
export interface HomeError {
  id: number;
  type: string | null;
  value: string | null;
  culprit: string;
  regressed: boolean;
  eventsCount: number;
  lastSeenAt: Date;
  fullPath: string;
}

/** Failures that need an administrator. */
export interface AdminWork {
  failedMoves: number;
  failedMails: number;
}

/** The role that the ability needs. */
const levelOf = (ability: ProjectAbility): string => String(ROLES[PROJECT_ABILITIES[ability]]);

/**
 * Projects in which user $1 has the role for the ability as a member, the most active ones first; of
 * the projects $3 if these are given.
 */
const projectsWith = (ability: ProjectAbility, areNamed: boolean): string => `
  SELECT p.id, (SELECT n.full_path || '/' || p.path FROM namespaces n WHERE n.id = p.namespace_id)
    AS full_path
  FROM projects p WHERE NOT p.pending_delete AND (${authorizedProjectSql('$1', levelOf(ability))})
    ${areNamed ? 'AND p.id = ANY($3::bigint[])' : ''}
  ORDER BY p.last_activity_at DESC, p.id DESC LIMIT ${MAX_PROJECTS}`;

const alertsSql = (areNamed: boolean): string => `
  SELECT a.iid, a.title, a.severity, a.status, a.started_at AS "startedAt",
    mine.full_path AS "fullPath"
  FROM (${projectsWith('read_alert', areNamed)}) mine
  CROSS JOIN unnest(ARRAY[${STATUS.triggered}, ${STATUS.acknowledged}]::smallint[]) AS s (status)
  CROSS JOIN LATERAL (SELECT * FROM alerts a
    WHERE a.project_id = mine.id AND a.status = s.status
    ORDER BY a.started_at DESC LIMIT $2::bigint) a
  ORDER BY a.status, a.started_at DESC, a.id DESC LIMIT $2::bigint`;

const errorsSql = (areNamed: boolean): string => `
  SELECT e.id, e.type, e.value, e.culprit, e.events_count AS "eventsCount",
    e.last_seen_at AS "lastSeenAt", mine.full_path AS "fullPath", e.regressed
  FROM (${projectsWith('read_error', areNamed)}) mine
  CROSS JOIN LATERAL (SELECT r.*,
      r.regressed_at IS NOT NULL AND r.regressed_at >= coalesce(r.status_changed_at, r.regressed_at)
        AND r.regressed_at > now() - interval '7 days' AS regressed
    FROM errors r WHERE r.project_id = mine.id AND r.status = ${ERROR_STATUS.unresolved}
    ORDER BY r.last_seen_at DESC LIMIT ${RECENT_ERRORS}) e
  WHERE e.regressed OR e.first_seen_at > now() - interval '7 days'
  ORDER BY e.last_seen_at DESC, e.id DESC LIMIT $2::bigint`;

/** Bounded: more are as bad. */
const countedSql = (from: string): string =>
  `(SELECT count(*)::int FROM (SELECT FROM ${from} LIMIT 100) counted)`;

const failedMovesSql = (kind: 'project' | 'snippet' | 'group'): string =>
  countedSql(`${kind}_repository_storage_moves m
    WHERE m.state IN ('failed', 'cleanup failed') AND m.created_at > now() - interval '7 days'`);

const ADMIN_SQL = `
  SELECT ${failedMovesSql('project')} + ${failedMovesSql('snippet')} + ${failedMovesSql('group')}
      AS "failedMoves",
    ${countedSql(`outgoing_mails WHERE state = 'failed'`)} AS "failedMails"`;

/** Statements of the home page over all projects of a user. */
@Injectable()
export class HomeRepository {
  constructor(private readonly queries: Sql) {}

  /** Returns unresolved alerts, triggered ones first, the latest first. */
  alerts(userId: number, limit: number): Promise<HomeAlert[]> {
    return this.listOfProjects<HomeAlert>('read_alert', alertsSql, [userId, limit]);
  }

  /** Returns errors that began or regressed within a week, those with the latest events first. */
  errors(userId: number, limit: number): Promise<HomeError[]> {
    return this.listOfProjects<HomeError>('read_error', errorsSql, [userId, limit]);
  }

  private async listOfProjects<Row extends object>(
    ability: ProjectAbility,
    sql: (areNamed: boolean) => string,
    values: readonly [userId: number, limit: number],
  ): Promise<Row[]> {
    const own = ownProjectsSql('$1', levelOf(ability));
    const ids = await this.queries.fewIds(own, [values[0]]);
    return ids === null
      ? this.queries.rows<Row>(sql(false), [...values])
      : this.queries.rows<Row>(sql(true), [...values, ids]);
  }

  /** Counts failed moves of the last week and undelivered emails, each up to 100 per table. */
  async adminWork(): Promise<AdminWork> {
    return (await this.queries.row<AdminWork>(ADMIN_SQL)) ?? { failedMoves: 0, failedMails: 0 };
  }
}
