import { Injectable, Logger } from '@nestjs/common';
import { STATUS } from '../../alerts/alert-values.js';
import {
  FrameCounters,
  MAX_COUNTED,
  MAX_TODOS,
  NO_COUNTS,
  type FrameCounts,
  type FrameRequest,
  type SidebarCounter,
} from '../../core/ui/frame-counts.js';
import { Sql } from '../../core/sql/sql.service.js';
import { ERROR_STATUS } from '../../error-tracking/error-values.js';
import { PROJECT_ABILITIES } from '../../identity/members/abilities.js';
import { ROLES } from '../../identity/members/roles.js';
import { accessLevelSql } from '../../identity/members/sql/access.js';
import { TODO_TABLES, VISIBLE_TODO } from '../../notifications/sql/todos.js';

const counted = (rows: string, limit = MAX_COUNTED): string =>
  `(SELECT count(*)::int FROM (SELECT ${rows} LIMIT ${limit}) counted)`;

/**
 * The values, out of the planner's sight: it would plan the statement anew for every viewer and
 * project, which takes ten times as long as running it.
 */
const VIEWER = '(SELECT $1::bigint)';
const PROJECT = '(SELECT $2::bigint)';

/** Pending to-dos that the user can no longer see do not make pages slow. */
const LATEST_TODOS = `SELECT id FROM todos WHERE user_id = ${VIEWER} AND done_at IS NULL
  ORDER BY id DESC LIMIT ${10 * MAX_TODOS}`;

const TODOS = counted(
  `FROM ${TODO_TABLES} WHERE o.id IN (${LATEST_TODOS}) AND ${VISIBLE_TODO}`,
  MAX_TODOS,
);

const OPENED = `FROM issues i WHERE i.project_id = ${PROJECT} AND i.state = 'opened'
  AND i.issue_type = 'issue'`;

/** Confidential issues count for those who see them. */
const SEES_CONFIDENTIAL = `(i.author_id = ${VIEWER}
  OR EXISTS (SELECT FROM issue_assignees a WHERE a.issue_id = i.id AND a.user_id = ${VIEWER})
  OR (SELECT ${accessLevelSql(VIEWER, 'n', 'p.id')} FROM projects p
      JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = ${PROJECT})
    >= ${ROLES[PROJECT_ABILITIES.read_confidential_issue]})`;

const ISSUES = `least(${MAX_COUNTED}, ${counted(`${OPENED} AND NOT i.confidential`)}
  + ${counted(`${OPENED} AND i.confidential AND ${SEES_CONFIDENTIAL}`)})`;

/** Counts by indexes of open rows, up to a limit; `ISSUES` are for those who do not see all. */
const COUNTERS: Record<SidebarCounter, string> = {
  issues: counted(OPENED),
  merge_requests: counted(
    `FROM merge_requests r WHERE r.project_id = ${PROJECT} AND r.state = 'opened'`,
  ),
  alerts: counted(`FROM alerts a WHERE a.project_id = ${PROJECT}
    AND a.status IN (${STATUS.triggered}, ${STATUS.acknowledged})`),
  errors: counted(`FROM errors e WHERE e.project_id = ${PROJECT}
    AND e.status = ${ERROR_STATUS.unresolved}`),
};

/** Reads the counters of a page's frame, all in one statement. */
@Injectable()
export class FrameRepository implements FrameCounters {
  private readonly logger = new Logger(FrameRepository.name);

  constructor(private readonly queries: Sql) {}

  /** A page does without its counters when they cannot be read in time. */
  async count({ viewer, project }: FrameRequest): Promise<FrameCounts> {
    if (viewer === null && project === null) return NO_COUNTS;
    const { admin = false } = viewer ?? {};
    const columns = (project?.counters ?? []).map(
      (name) => `, ${name === 'issues' && !admin ? ISSUES : COUNTERS[name]} AS ${name}`,
    );
    const viewerId = viewer?.id ?? null;
    const values = columns.length > 0 ? [viewerId, project?.id] : [viewerId];
    const text = `SELECT ${TODOS} AS todos${columns.join('')}`;
    try {
      return (await this.queries.row<FrameCounts>(text, values)) ?? NO_COUNTS;
    } catch (error) {
      this.logger.warn(`Counters of the frame cannot be read: ${String(error)}`);
      return NO_COUNTS;
    }
  }
}
