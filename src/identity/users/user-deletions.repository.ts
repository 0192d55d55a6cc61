import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import type { InternalUser } from './internal-users.repository.js';
import { User } from './user.entity.js';

/** Tables of contributions without a repository; foreign keys delete dependent rows. */
const WRITTEN = [
  ['notes', 'author_id'],
  ['issue_state_events', 'user_id'],
  ['issues', 'author_id'],
  ['merge_requests', 'author_id'],
] as const;

const LOCK_GROUPS_SQL = `
  SELECT n.id FROM namespaces n JOIN members m ON m.namespace_id = n.id
  WHERE m.user_id = $1 AND m.access_level = 50 ORDER BY n.id FOR NO KEY UPDATE OF n`;

const SOLELY_OWNED_SQL = `
  SELECT g.id FROM members m
  JOIN namespaces n ON n.id = m.namespace_id JOIN groups g ON g.id = n.id
  WHERE m.user_id = $1 AND m.access_level = 50 AND NOT g.pending_delete AND NOT EXISTS (
    SELECT 1 FROM members o JOIN users u ON u.id = o.user_id AND u.user_type <> 'project_bot'
    WHERE o.namespace_id = ANY(n.traversal_ids) AND o.user_id <> $1 AND o.access_level = 50
      AND o.expires_at IS NULL)
  ORDER BY g.id`;

const HAND_OVER_PROJECTS_SQL = `
  UPDATE projects p
  SET pending_delete = true, namespace_id = $2, name = 'deleted-' || p.id,
      path = 'deleted-' || p.id, updated_at = now()
  FROM namespaces n WHERE n.id = p.namespace_id AND n.owner_id = $1
  RETURNING p.id, p.repository_read_only AS moving`;

/** A snippet is detached, since its row can outlive its author until its repository is deleted. */
const HIDE_SNIPPETS_SQL = `
  UPDATE snippets SET pending_delete = true, author_id = $2, updated_at = now()
  WHERE author_id = $1 RETURNING id, repository_read_only AS moving`;

const MEMBERSHIPS_SQL = `
  SELECT CASE WHEN m.project_id IS NULL THEN 'Group' ELSE 'Project' END AS "entityType",
    coalesce(m.project_id, m.namespace_id) AS "entityId", m.access_level AS "accessLevel"
  FROM members m LEFT JOIN projects p ON p.id = m.project_id
  WHERE m.user_id = $1 AND p.pending_delete IS NOT TRUE ORDER BY m.id`;

/**
 * The creator of a bot is the user who added it. Triggers announce the end of the tokens to
 * processes.
 */
const END_BOT_TOKENS_SQL = `
  WITH ended AS (
    UPDATE access_tokens t SET revoked_at = $2, updated_at = $2
    FROM users b JOIN members m ON m.user_id = b.id
    WHERE b.user_type = 'project_bot' AND m.created_by_id = $1
      AND t.user_id = b.id AND t.revoked_at IS NULL
    RETURNING t.id, t.kind, t.name, t.user_id AS "userId", t.project_id AS "projectId",
      t.group_id AS "groupId")
  SELECT DISTINCT * FROM ended ORDER BY id`;

/** A membership that ends with its user. */
interface EndingMembership {
  entityType: 'Group' | 'Project';
  entityId: number;
  accessLevel: number;
}

/** A project or group access token that was revoked with its bot's creator. */
interface EndedBotToken {
  id: number;
  kind: 'project' | 'group';
  name: string;
  userId: number;
  projectId: number | null;
  groupId: number | null;
}

/** A project or snippet that is hidden; `moving` while its repository is being moved. */
export interface HiddenContainer {
  id: number;
  moving: boolean;
}

/** Owns the statements that take the work of a user who is deleted or blocked out of service. */
@Injectable()
export class UserDeletionsRepository extends Repository<User> {
  constructor(dataSource: DataSource) {
    super(User, dataSource.manager);
  }

  /**
   * Returns the groups without another owner. Locks them first, so that of two owners who are
   * deleted concurrently neither relies on the other.
   */
  async lockSolelyOwnedGroups(manager: EntityManager, userId: number): Promise<number[]> {
    await manager.query(LOCK_GROUPS_SQL, [userId]);
    const groups = await manager.query<{ id: number }[]>(SOLELY_OWNED_SQL, [userId]);
    return groups.map(({ id }) => id);
  }

  /** Hides the user's own projects and moves them to the ghost user under names that are free. */
  async handOverProjects(
    manager: EntityManager,
    userId: number,
    ghost: InternalUser,
  ): Promise<HiddenContainer[]> {
    await manager.query('SELECT id FROM namespaces WHERE owner_id = $1 FOR UPDATE', [userId]);
    const [projects] = await manager.query<[HiddenContainer[], number]>(HAND_OVER_PROJECTS_SQL, [
      userId,
      ghost.namespaceId,
    ]);
    return projects;
  }

  /** Deletes the user's issues, merge requests and comments, and hides their snippets. */
  async deleteContributions(
    manager: EntityManager,
    userId: number,
    ghost: InternalUser,
  ): Promise<HiddenContainer[]> {
    for (const [table, column] of WRITTEN) {
      await manager.query(`DELETE FROM ${table} WHERE ${column} = $1`, [userId]);
    }
    const [snippets] = await manager.query<[HiddenContainer[], number]>(HIDE_SNIPPETS_SQL, [
      userId,
      ghost.userId,
    ]);
    return snippets;
  }

  /** Returns the user's memberships, except those of projects that are deleted as well. */
  findMemberships(manager: EntityManager, userId: number): Promise<EndingMembership[]> {
    return manager.query<EndingMembership[]>(MEMBERSHIPS_SQL, [userId]);
  }

  /** Revokes the project and group access tokens whose bots the user created; returns them. */
  endBotTokens(manager: EntityManager, userId: number, now: Date): Promise<EndedBotToken[]> {
    return manager.query<EndedBotToken[]>(END_BOT_TOKENS_SQL, [userId, now]);
  }
}
