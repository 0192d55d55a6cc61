import { Injectable, Logger } from '@nestjs/common';
import { STATUS } from '../../alerts/alert-values.js';
import {
  FrameCounters,
  MAX_COUNTED,
  MAX_TODOS,
  NO_COUNTS,
  type FrameCounts,
  type FrameRequest,
} from '../../core/ui/frame-counts.js';
import { Sql } from '../../core/sql/sql.service.js';
import { ERROR_STATUS } from '../../error-tracking/error-values.js';
import { PROJECT_ABILITIES } from '../../identity/members/abilities.js';
import { ROLES } from '../../identity/members/roles.js';
import { accessLevelSql } from '../../identity/members/sql/access.js';
import { TODO_TABLES, VISIBLE_TODO } from '../../notifications/sql/todos.js';

const counted = (rows: string, limit = MAX_COUNTED): string =>
  `(SELECT count(*)::int FROM (SELECT ${rows} LIMIT ${limit}) counted)`;

const OPENED = `FROM issues i WHERE i.project_id = $2 AND i.state = 'opened'
  AND i.issue_type = 'issue'`;

/** Pending to-dos that the user can no longer see do not make pages slow. */
const LATEST_TODOS = `SELECT id FROM todos WHERE user_id = $1 AND done_at IS NULL
  ORDER BY id DESC LIMIT ${10 * MAX_TODOS}`;

/** Confidential issues count for those who see them. */
const SEES_CONFIDENTIAL = `($3 OR i.author_id = $1
  OR EXISTS (SELECT FROM issue_assignees a WHERE a.issue_id = i.id AND a.user_id = $1)
  OR (SELECT ${accessLevelSql('$1', 'n', 'p.id')} FROM projects p
      JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = $2)
    >= ${ROLES[PROJECT_ABILITIES.read_confidential_issue]})`;

/**
 * Counts by indexes of open rows, up to a limit. Values: viewer, project, whether the viewer is an
 * administrator, and the names of the counters.
 */
const COUNTERS_SQL = `
  SELECT ${counted(
    `FROM ${TODO_TABLES} WHERE o.id IN (${LATEST_TODOS}) AND ${VISIBLE_TODO}`,
    MAX_TODOS,
  )} AS todos,
    CASE WHEN 'issues' = ANY($4::text[]) THEN least(${MAX_COUNTED},
      ${counted(`${OPENED} AND NOT i.confidential`)}
      + ${counted(`${OPENED} AND i.confidential AND ${SEES_CONFIDENTIAL}`)}) ELSE 0 END AS issues,
    CASE WHEN 'merge_requests' = ANY($4) THEN ${counted(
      `FROM merge_requests r WHERE r.project_id = $2 AND r.state = 'opened'`,
    )} ELSE 0 END AS merge_requests,
    CASE WHEN 'alerts' = ANY($4) THEN ${counted(
      `FROM alerts a WHERE a.project_id = $2
         AND a.status IN (${STATUS.triggered}, ${STATUS.acknowledged})`,
    )} ELSE 0 END AS alerts,
    CASE WHEN 'errors' = ANY($4) THEN ${counted(
      `FROM errors e WHERE e.project_id = $2 AND e.status = ${ERROR_STATUS.unresolved}`,
    )} ELSE 0 END AS errors`;

/** Reads the counters of a page's frame, all in one statement. */
@Injectable()
export class FrameRepository implements FrameCounters {
  private readonly logger = new Logger(FrameRepository.name);

  constructor(private readonly queries: Sql) {}

  /** A page does without its counters when they cannot be read in time. */
  async count({ viewer, project }: FrameRequest): Promise<FrameCounts> {
    if (viewer === null && project === null) return NO_COUNTS;
    const values = [
      viewer?.id ?? null,
      project?.id ?? null,
      viewer?.admin ?? false,
      project?.counters ?? [],
    ];
    try {
      return (await this.queries.row<FrameCounts>(COUNTERS_SQL, values)) ?? NO_COUNTS;
    } catch (error) {
      this.logger.warn(`Counters of the frame cannot be read: ${String(error)}`);
      return NO_COUNTS;
    }
  }
}
