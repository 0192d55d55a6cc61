import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IssueStates } from '../issues/issue-states.service.js';
import { PROJECT_ABILITIES } from '../members/abilities.js';
import { accessLevelSql } from '../members/sql/access.js';
import { ROLES } from '../members/roles.js';
import { closedIssueNumbers } from './closing-references.js';

const MAX_ISSUES = 50;

/** Open issues that the actor may close, of those named. */
const CLOSABLE_SQL = `
  SELECT i.id FROM issues i
  JOIN projects p ON p.id = i.project_id JOIN namespaces n ON n.id = p.namespace_id
  JOIN users u ON u.id = $3
  WHERE i.project_id = $1 AND i.iid = ANY($2::bigint[]) AND i.state = 'opened'
    AND p.issues_enabled
    AND (u.admin OR i.author_id = u.id
      OR ${accessLevelSql('u.id', 'n', 'p.id')} >= ${ROLES[PROJECT_ABILITIES.admin_issue]})
  ORDER BY i.id LIMIT ${MAX_ISSUES}`;

/** Closes the issues that texts on their way into the default branch name. */
@Injectable()
export class IssueClosings {
  constructor(private readonly states: IssueStates) {}

  /** Leaves out what the actor could not close by hand. */
  async close(
    tx: EntityManager,
    { projectId, actorId }: { projectId: number; actorId: number },
    texts: readonly string[],
  ): Promise<void> {
    const numbers = closedIssueNumbers(texts.join('\n'));
    if (numbers.length === 0) return;
    const issues = await tx.query<{ id: number }[]>(CLOSABLE_SQL, [projectId, numbers, actorId]);
    const ids = issues.map(({ id }) => id);
    await this.states.close(tx, ids, { actorId });
  }
}
