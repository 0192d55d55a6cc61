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
} from '../../core/ui/page-context.js';
import { Sql } from '../../core/sql/sql.service.js';
import { ERROR_STATUS } from '../../error-tracking/error-values.js';
import { PROJECT_ABILITIES } from '../../identity/members/abilities.js';
import { ROLES } from '../../identity/members/roles.js';
import { accessLevelSql } from '../../identity/members/sql/access.js';
import { TODO_TABLES, VISIBLE_TODO } from '../../notifications/sql/todos.js';

const counted = (rows: string, limit = MAX_COUNTED): string =>
  `(SELECT count(*)::int FROM (SELECT ${rows} LIMIT ${limit}) counted)`;

/** Pending to-dos that the user can no longer see do not make pages slow. */
const LATEST_TODOS = `ARRAY(SELECT id FROM todos WHERE user_id = $1 AND done_at IS NULL
  ORDER BY id DESC LIMIT ${10 * MAX_TODOS})`;

/**
 * Counts those of the to-dos $1 that their user can see. The ids are hidden from the planner, which
 * would plan the statement for their number each time: that takes ten times as long as running it.
 */
const VISIBLE_TODOS_SQL = `SELECT ${counted(
  `FROM ${TODO_TABLES} WHERE o.id = ANY((SELECT $1::bigint[])::bigint[]) AND ${VISIBLE_TODO}`,
  MAX_TODOS,
)} AS todos`;

const OPENED = `FROM issues i WHERE i.project_id = $2 AND i.state = 'opened'
  AND i.issue_type = 'issue'`;

/** Confidential issues count for those who see them. */
const SEES_CONFIDENTIAL = `(i.author_id = $1
  OR EXISTS (SELECT FROM issue_assignees a WHERE a.issue_id = i.id AND a.user_id = $1)
  OR (SELECT ${accessLevelSql('$1', 'n', 'p.id')} FROM projects p
      JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = $2)
    >= ${ROLES[PROJECT_ABILITIES.read_confidential_issue]})`;

/** One index has the open issues that are confidential, another has the rest. */
const issuesSql = (seesConfidential: string): string => `
  least(${MAX_COUNTED}, ${counted(`${OPENED} AND NOT i.confidential`)}
    + ${counted(`${OPENED} AND i.confidential AND ${seesConfidential}`)})`;

/** Counts of a project by indexes of open rows, up to a limit. */
const COUNTERS: Record<SidebarCounter, string> = {
  issues: issuesSql(SEES_CONFIDENTIAL),
  merge_requests: counted(`FROM merge_requests r WHERE r.project_id = $2 AND r.state = 'opened'`),
  alerts: counted(`FROM alerts a WHERE a.project_id = $2
    AND a.status IN (${STATUS.triggered}, ${STATUS.acknowledged})`),
  errors: counted(`FROM errors e WHERE e.project_id = $2
    AND e.status = ${ERROR_STATUS.unresolved}`),
};

const COUNTERS_OF_ADMIN = { ...COUNTERS, issues: issuesSql('true') };

/** Reads the counters of a page's frame, of a user without to-dos in one statement. */
@Injectable()
export class FrameRepository implements FrameCounters {
  private readonly logger = new Logger(FrameRepository.name);

  constructor(private readonly queries: Sql) {}

  /** A page does without its counters when they cannot be read in time. */
  async count({ viewer, project }: FrameRequest): Promise<FrameCounts> {
    if (viewer === null && project === null) return NO_COUNTS;
    const counters = viewer?.admin === true ? COUNTERS_OF_ADMIN : COUNTERS;
    const columns = (project?.counters ?? []).map((name) => `, ${counters[name]} AS ${name}`);
    const viewerId = viewer?.id ?? null;
    const values = columns.length > 0 ? [viewerId, project?.id] : [viewerId];
    const text = `SELECT ${LATEST_TODOS} AS latest${columns.join('')}`;
    try {
      const row = await this.queries.row<Omit<FrameCounts, 'todos'> & { latest: string[] }>(
        text,
        values,
      );
      if (row === null) return NO_COUNTS;
      const { latest, ...ofProject } = row;
      return { ...ofProject, todos: await this.countVisible(latest) };
    } catch (error) {
      this.logger.warn(`Counters of the frame cannot be read: ${String(error)}`);
      return NO_COUNTS;
    }
  }

  private async countVisible(todos: readonly string[]): Promise<number> {
    if (todos.length === 0) return 0;
    const row = await this.queries.row<{ todos: number }>(VISIBLE_TODOS_SQL, [todos]);
    return row?.todos ?? 0;
  }
}
