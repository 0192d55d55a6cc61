import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { NamespacesRepository } from './namespaces.repository.js';
import { assertValidUser } from './user-rules.js';
import { User } from './user.entity.js';

/** A user of the server itself; no one can sign in as one. */
interface InternalUserKind {
  /** Wanted username; a number is appended when the path is taken. */
  username: string;
  name: string;
  /** Identifies the kind. `.invalid` is never delivered to (RFC 2606 §2), so no person can own it. */
  email: string;
  bio: string;
}

/** The ids of an internal user. */
export interface InternalUser {
  userId: number;
  namespaceId: number;
}

/** A bot to be created; its username is unique by the random part that it ends with. */
interface NewBot {
  username: string;
  name: string;
  /** Host name of the instance: the address is no one's mailbox. */
  host: string;
}

const GHOST: InternalUserKind = {
  username: 'ghost',
  name: 'Ghost User',
  email: 'ghost@guildhall.invalid',
  bio: 'This is a "Ghost User": it holds what users left behind who have been deleted since.',
};

/** Columns that name the author of something: table and column. */
const WRITTEN = [
  ['snippets', 'author_id'],
  ['issues', 'author_id'],
  ['issues', 'closed_by_id'],
  ['issue_state_events', 'user_id'],
  ['notes', 'author_id'],
  ['merge_requests', 'author_id'],
  ['merge_requests', 'closed_by_id'],
  ['merge_requests', 'merged_by_id'],
] as const;

const FIND_SQL = `
  SELECT u.id AS "userId", n.id AS "namespaceId"
  FROM users u JOIN namespaces n ON n.owner_id = u.id WHERE lower(u.email) = $1`;

const TAKEN_PATHS_SQL = `
  SELECT lower(full_path) AS path FROM namespaces
  WHERE parent_id IS NULL AND lower(full_path) ~ ('^' || $1::text || '[0-9]*$')`;

/** Owns every statement about users that are not people: internal users, and bots of tokens. */
@Injectable()
export class InternalUsersRepository extends Repository<User> {
  constructor(
    dataSource: DataSource,
    private readonly namespaces: NamespacesRepository,
  ) {
    super(User, dataSource.manager);
  }

  /** Returns the internal user of that kind; creates it when there is none yet. */
  async ensure(manager: EntityManager, kind: InternalUserKind): Promise<InternalUser> {
    const key = `internal user ${kind.email}`;
    await manager.query('SELECT pg_advisory_xact_lock(hashtext($1))', [key]);
    const rows = await manager.query<InternalUser[]>(FIND_SQL, [kind.email]);
    return rows[0] ?? this.insertInternal(manager, kind);
  }

  /** Returns the internal user who inherits the contributions of deleted users. */
  ensureGhost(manager: EntityManager): Promise<InternalUser> {
    return this.ensure(manager, GHOST);
  }

  /** Makes the ghost user the author of everything that these users wrote, so that it can stay. */
  async assignToGhost(
    manager: EntityManager,
    ghost: InternalUser,
    userIds: readonly number[],
  ): Promise<void> {
    for (const [table, column] of WRITTEN) {
      await manager.query(`UPDATE ${table} SET ${column} = $2 WHERE ${column} = ANY($1)`, [
        userIds,
        ghost.userId,
      ]);
    }
  }

  /**
   * Inserts the user that a token acts as; returns its id. Bots have no namespace, and count as
   * external: they reach what is public and what they are members of. Throws ValidationFailedError
   * for a name that no user can have.
   */
  async insertBot(manager: EntityManager, { username, name, host }: NewBot): Promise<number> {
    assertValidUser({ name });
    const inserted = await manager.insert(User, {
      username,
      name,
      email: `${username}@noreply.${host}`,
      userType: 'project_bot',
      external: true,
      canCreateGroup: false,
      projectsLimit: 0,
      confirmedAt: new Date(),
    });
    return (inserted.identifiers[0] as { id: number }).id;
  }

  /** Deletes the bots of a project's or group's access tokens, before the container itself. */
  async deleteBotsOf(
    manager: EntityManager,
    kind: 'project' | 'group',
    containerId: number,
  ): Promise<void> {
    const bots = await manager.query<{ id: number }[]>(
      `SELECT DISTINCT user_id AS id FROM access_tokens WHERE kind = $1 AND ${kind}_id = $2`,
      [kind, containerId],
    );
    await this.deleteBots(
      manager,
      bots.map(({ id }) => id),
    );
  }

  /** Deletes bots; the ghost user becomes the author of what they wrote elsewhere. */
  private async deleteBots(manager: EntityManager, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.assignToGhost(manager, await this.ensureGhost(manager), ids);
    await manager.query(`DELETE FROM users WHERE id = ANY($1) AND user_type = 'project_bot'`, [
      ids,
    ]);
  }

  private async insertInternal(
    manager: EntityManager,
    { name, email, bio, ...wanted }: InternalUserKind,
  ): Promise<InternalUser> {
    const username = await this.findFreeUsername(manager, wanted.username);
    const owner = { username, name };
    const inserted = await manager.insert(User, {
      ...owner,
      email,
      userType: 'internal',
      confirmedAt: new Date(),
      bio,
    });
    const userId = (inserted.identifiers[0] as { id: number }).id;
    const namespaceId = await this.namespaces.insertOfUser(manager, { id: userId, ...owner });
    return { userId, namespaceId };
  }

  private async findFreeUsername(manager: EntityManager, wanted: string): Promise<string> {
    const rows = await manager.query<{ path: string }[]>(TAKEN_PATHS_SQL, [wanted]);
    const taken = new Set(rows.map(({ path }) => path));
    let username = wanted;
    for (let n = 1; taken.has(username); n += 1) username = `${wanted}${n}`;
    return username;
  }
}
