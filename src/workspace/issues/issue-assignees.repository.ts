import { Injectable } from '@nestjs/common';
import { type EntityManager, DataSource, Repository } from 'typeorm';
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
