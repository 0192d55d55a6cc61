import type { EntityManager } from 'typeorm';
import { PROJECT_ABILITIES } from '../members/abilities.js';
import { accessLevelSql } from '../members/sql/access.js';
import { ROLES } from '../members/roles.js';
import { VISIBILITY } from '../members/visibility.js';
import type { MergeRequestRole } from './merge-request-person.entity.js';

/**
 * Returns those of the named users who can read the merge requests, and locks their rows against
 * deletion.
 */
const READERS_SQL = `
  SELECT u.id, u.username FROM users u
  JOIN projects p ON p.id = $2 JOIN namespaces n ON n.id = p.namespace_id
  WHERE u.id = ANY($1::bigint[]) AND u.state = 'active' AND u.user_type <> 'internal'
    AND (u.admin OR p.visibility = ${VISIBILITY.public}
      OR (p.visibility = ${VISIBILITY.internal} AND NOT u.external)
      OR ${accessLevelSql('u.id', 'n', 'p.id')} >= ${ROLES[PROJECT_ABILITIES.read_merge_request]})
  ORDER BY u.id FOR KEY SHARE OF u`;

/** Id and name of each who has a role in a merge request. */
export const PRESENT_SQL = `
  SELECT u.id, u.username FROM merge_request_people q JOIN users u ON u.id = q.user_id
  WHERE q.merge_request_id = $1 AND q.role = $2 ORDER BY u.id`;

const REMOVE_SQL = `
  DELETE FROM merge_request_people
  WHERE merge_request_id = $1 AND role = $2 AND user_id = ANY($3::bigint[])`;

const ADD_SQL = `
  INSERT INTO merge_request_people (merge_request_id, role, user_id)
  SELECT $1, $2, unnest($3::bigint[])`;

/** Someone who has, or is to have, a role. */
export interface Named {
  id: number;
  username: string;
}

/** Users who gained a role, and users who lost it. */
export interface PeopleChange {
  added: readonly Named[];
  removed: readonly Named[];
}

/** Users for a role; undefined = the current ones keep it. */
export interface WantedPeople {
  role: MergeRequestRole;
  userIds: readonly number[] | undefined;
}

const NOBODY: PeopleChange = { added: [], removed: [] };

/**
 * Gives them the role in the merge request, whose row the caller holds. Those who cannot read it
 * are left out without a word, as v4 does.
 */
export async function involve(
  tx: EntityManager,
  { id, projectId }: { id: number; projectId: number },
  { role, userIds: wanted }: WantedPeople,
): Promise<PeopleChange> {
  if (wanted === undefined) return NOBODY;
  const present = await tx.query<Named[]>(PRESENT_SQL, [id, role]);
  const removed = present.filter((user) => !wanted.includes(user.id));
  const unknown = wanted.filter((userId) => present.every((user) => user.id !== userId));
  const added = await readers(tx, projectId, unknown);
  if (removed.length > 0) await tx.query(REMOVE_SQL, [id, role, removed.map((user) => user.id)]);
  if (added.length > 0) await tx.query(ADD_SQL, [id, role, added.map((user) => user.id)]);
  return { added, removed };
}

/** Those of the users who can read the merge requests of the project. */
export async function readers(
  tx: EntityManager,
  projectId: number,
  userIds: readonly number[],
): Promise<Named[]> {
  if (userIds.length === 0) return [];
  return tx.query<Named[]>(READERS_SQL, [userIds, projectId]);
}

/**
 * Returns the user IDs of a request, without 0, which stands for none; undefined if it does not set
 * them.
 */
export function wantedIds(given: readonly number[] | null | undefined): number[] | undefined {
  return given === undefined ? undefined : (given ?? []).filter((id) => id !== 0);
}
