import { Injectable } from '@nestjs/common';
import { type EntityManager, DataSource, Repository } from 'typeorm';
import { PROJECT_ABILITIES } from '../../identity/members/abilities.js';
import { accessLevelSql } from '../../identity/members/sql/access.js';
import { ROLES } from '../../identity/members/roles.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import type { NamedUser } from '../../identity/users/users.repository.js';
import { IssueAssignee } from './issue-assignee.entity.js';
import type { Issue } from './issue.entity.js';

type AssignedIssue = Pick<Issue, 'id' | 'projectId' | 'authorId' | 'confidential'>;

const LEVEL = accessLevelSql('u.id', 'n', 'p.id');

/** Users who can read the issue, locked against deletion. */
const READERS_SQL = `
  SELECT u.id, u.username FROM users u
  JOIN projects p ON p.id = $2 JOIN namespaces n ON n.id = p.namespace_id
  WHERE u.id = ANY($1::bigint[]) AND u.state = 'active' AND u.user_type <> 'internal'
    AND (u.admin OR p.visibility = ${VISIBILITY.public}
      OR (p.visibility = ${VISIBILITY.internal} AND NOT u.external)
      OR ${LEVEL} >= ${ROLES[PROJECT_ABILITIES.read_issue]})
    AND (u.admin OR NOT $3::boolean OR u.id = $4
      OR ${LEVEL} >= ${ROLES[PROJECT_ABILITIES.read_confidential_issue]})
  ORDER BY u.id FOR KEY SHARE OF u`;

const ASSIGNED_SQL = `
  SELECT u.id, u.username FROM issue_assignees a JOIN users u ON u.id = a.user_id
  WHERE a.issue_id = $1 ORDER BY u.id`;

/** Users who were assigned and unassigned. */
export interface AssigneeChange {
  added: readonly NamedUser[];
  removed: readonly NamedUser[];
}

const UNASSIGN_SQL =
  'DELETE FROM issue_assignees WHERE issue_id = $1 AND user_id = ANY($2::bigint[])';

const ASSIGN_SQL =
  'INSERT INTO issue_assignees (issue_id, user_id) SELECT $1, unnest($2::bigint[])';

/** Owns every statement about assignees of issues. */
@Injectable()
export class IssueAssigneesRepository extends Repository<IssueAssignee> {
  constructor(dataSource: DataSource) {
    super(IssueAssignee, dataSource.manager);
  }

  /** Returns the assignees of an issue by id. */
  listOfIssue(manager: EntityManager, issueId: number): Promise<NamedUser[]> {
    return manager.query<NamedUser[]>(ASSIGNED_SQL, [issueId]);
  }

  /** Returns those of the users who can read the issue: no one else is assigned to it. */
  async findReaders(
    manager: EntityManager,
    { projectId, confidential, authorId }: Omit<AssignedIssue, 'id'>,
    userIds: readonly number[],
  ): Promise<NamedUser[]> {
    if (userIds.length === 0) return [];
    const values = [userIds, projectId, confidential, authorId];
    return manager.query<NamedUser[]>(READERS_SQL, values);
  }

  /**
   * Replaces the assignees of an issue, whose row the caller holds. Users who cannot read it are
   * ignored, as v4 does.
   */
  async replace(
    manager: EntityManager,
    issue: AssignedIssue,
    wanted: readonly number[],
  ): Promise<AssigneeChange> {
    const present = await this.listOfIssue(manager, issue.id);
    const removed = present.filter(({ id }) => !wanted.includes(id));
    const unknown = wanted.filter((id) => present.every((user) => user.id !== id));
    const added = await this.findReaders(manager, issue, unknown);
    const ids = ({ id }: NamedUser): number => id;
    await manager.query(UNASSIGN_SQL, [issue.id, removed.map(ids)]);
    await manager.query(ASSIGN_SQL, [issue.id, added.map(ids)]);
    return { added, removed };
  }
}
