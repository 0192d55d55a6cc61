import { Injectable } from '@nestjs/common';
import { type EntityManager, DataSource, Repository } from 'typeorm';
import { containsPattern } from '../../core/sql/conditions.js';
import { queryPrepared } from '../../core/sql/pg-driver.js';
import { Sql } from '../../core/sql/sql.service.js';
import { ACTIVE_MEMBERSHIP } from '../../identity/members/member-source.js';
import type { UserBasics } from '../../identity/users/user.presenter.js';
import type { NamedUser } from '../../identity/users/users.repository.js';
import { peopleChange, type PeopleChange } from './issuable-changes.js';
import { IssueAssignee, type Issue } from './issue.entity.js';
import { readerLevelSql, readersSql } from './sql/issuable-conditions.js';

type AssignedIssue = Pick<Issue, 'id' | 'projectId' | 'authorId' | 'confidential'>;

const READERS_SQL = readersSql(
  'read_issue',
  `u.admin OR NOT $3::boolean OR u.id = $4 OR ${readerLevelSql('read_confidential_issue')}`,
);

const ASSIGNED_SQL = `
  SELECT u.id, u.username FROM issue_assignees a JOIN users u ON u.id = a.user_id
  WHERE a.issue_id = $1 ORDER BY u.id`;

const UNASSIGN_SQL =
  'DELETE FROM issue_assignees WHERE issue_id = $1 AND user_id = ANY($2::bigint[])';

const ASSIGN_SQL =
  'INSERT INTO issue_assignees (issue_id, user_id) SELECT $1, unnest($2::bigint[])';

/** Members of a project, its own and inherited ones, whose name or username contains the pattern. */
const SUGGESTED_SQL = `
  SELECT u.id, u.username, u.name, u.state, u.avatar FROM users u
  WHERE u.state = 'active' AND u.user_type <> 'internal'
    AND (u.name ILIKE $2 OR u.username ILIKE $2)
    AND u.id IN (
      SELECT m.user_id FROM projects p JOIN namespaces n ON n.id = p.namespace_id
      JOIN members m ON m.project_id = p.id OR m.namespace_id = ANY(n.traversal_ids)
      WHERE p.id = $1 AND ${ACTIVE_MEMBERSHIP}
      UNION ALL SELECT n.owner_id FROM projects p JOIN namespaces n ON n.id = p.namespace_id
      WHERE p.id = $1)
  ORDER BY lower(u.name), u.id LIMIT $3`;

/** Owns every statement about assignees of issues. */
@Injectable()
export class IssueAssigneesRepository extends Repository<IssueAssignee> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(IssueAssignee, dataSource.manager);
  }

  /** Returns members of the project for a typed part of their name. */
  suggest(projectId: number, typed: string, most: number): Promise<UserBasics[]> {
    return this.queries.rows<UserBasics>(SUGGESTED_SQL, [projectId, containsPattern(typed), most]);
  }

  /** Returns the assignees of an issue by id. */
  listOfIssue(manager: EntityManager, issueId: number): Promise<NamedUser[]> {
    const statement = { name: 'list-assignees', text: ASSIGNED_SQL, values: [issueId] };
    return queryPrepared<NamedUser>(manager, statement);
  }

  /** Returns those of the users who can read the issue: no one else is assigned to it. */
  async findReaders(
    manager: EntityManager,
    { projectId, confidential, authorId }: Omit<AssignedIssue, 'id'>,
    userIds: readonly number[],
  ): Promise<NamedUser[]> {
    if (userIds.length === 0) return [];
    const values = [userIds, projectId, confidential, authorId];
    return queryPrepared(manager, { name: 'find-issue-readers', text: READERS_SQL, values });
  }

  /**
   * Replaces the assignees of an issue, whose row the caller holds. Users who cannot read it are
   * ignored, as v4 does.
   */
  async replace(
    manager: EntityManager,
    issue: AssignedIssue,
    wanted: readonly number[],
  ): Promise<PeopleChange> {
    const present = await this.listOfIssue(manager, issue.id);
    const find = (ids: readonly number[]): Promise<NamedUser[]> =>
      this.findReaders(manager, issue, ids);
    const change = await peopleChange(present, wanted, find);
    const idsOf = (users: readonly NamedUser[]): number[] => users.map(({ id }) => id);
    await manager.query(UNASSIGN_SQL, [issue.id, idsOf(change.removed)]);
    await manager.query(ASSIGN_SQL, [issue.id, idsOf(change.added)]);
    return change;
  }
}
