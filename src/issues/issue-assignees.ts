import type { EntityManager } from 'typeorm';
import { PROJECT_ABILITIES } from '../members/abilities.js';
import { accessLevelSql } from '../members/sql/access.js';
import { ROLES } from '../members/roles.js';
import { VISIBILITY } from '../members/visibility.js';
import type { Issue } from './issue.entity.js';

/** Assignees as requests spell them; the single one is the older form. */
interface GivenAssignees {
  assignee_ids?: readonly number[] | null;
  assignee_id?: number | null;
}

type AssignedIssue = Pick<Issue, 'id' | 'projectId' | 'authorId' | 'confidential'>;

const LEVEL = accessLevelSql('u.id', 'n', 'p.id');

/** Who can read the issue, of those named; they are kept from being deleted meanwhile. */
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

/** Id and name of each assignee of an issue. */
export const ASSIGNED_SQL = `
  SELECT u.id, u.username FROM issue_assignees a JOIN users u ON u.id = a.user_id
  WHERE a.issue_id = $1 ORDER BY u.id`;

/** Somebody who is or may be assigned. */
interface Named {
  id: number;
  username: string;
}

/** Who was assigned, and who is no longer. */
export interface AssigneeChange {
  added: readonly Named[];
  removed: readonly Named[];
}

/** Whom a request wants to be assigned; undefined when it says nothing about it. */
export function wantedAssignees(given: GivenAssignees): number[] | undefined {
  if (given.assignee_ids !== undefined) return (given.assignee_ids ?? []).filter((id) => id !== 0);
  if (given.assignee_id === undefined) return undefined;
  return given.assignee_id === null || given.assignee_id === 0 ? [] : [given.assignee_id];
}

/**
 * Makes them the assignees of the issue, whose row the caller holds. Those who cannot read it are
 * left out without a word, as v4 does.
 */
export async function assign(
  tx: EntityManager,
  issue: AssignedIssue,
  wanted: readonly number[],
): Promise<AssigneeChange> {
  const present = await tx.query<Named[]>(ASSIGNED_SQL, [issue.id]);
  const removed = present.filter(({ id }) => !wanted.includes(id));
  const unknown = wanted.filter((id) => present.every((user) => user.id !== id));
  const added = await readers(tx, issue, unknown);
  const ids = ({ id }: Named): number => id;
  await tx.query(
    'DELETE FROM issue_assignees WHERE issue_id = $1 AND user_id = ANY($2::bigint[])',
    [issue.id, removed.map(ids)],
  );
  await tx.query(
    'INSERT INTO issue_assignees (issue_id, user_id) SELECT $1, unnest($2::bigint[])',
    [issue.id, added.map(ids)],
  );
  return { added, removed };
}

/** Those of the users who can read the issue: nobody else is assigned to it. */
export async function readers(
  tx: EntityManager,
  { projectId, confidential, authorId }: Omit<AssignedIssue, 'id'>,
  userIds: readonly number[],
): Promise<Named[]> {
  if (userIds.length === 0) return [];
  return tx.query<Named[]>(READERS_SQL, [userIds, projectId, confidential, authorId]);
}
