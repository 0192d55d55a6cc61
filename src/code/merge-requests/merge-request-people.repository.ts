import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { queryPrepared } from '../../core/sql/pg-driver.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { NamedUser } from '../../identity/users/users.repository.js';
import {
  NO_PEOPLE,
  peopleChange,
  type PeopleChange,
} from '../../workspace/issues/issuable-changes.js';
import { readersSql } from '../../workspace/issues/sql/issuable-conditions.js';
import { MergeRequestPerson, type MergeRequestRole } from './merge-request.entity.js';

const READERS_SQL = readersSql('read_merge_request');

const PRESENT_SQL = `
  SELECT u.id, u.username FROM merge_request_people q JOIN users u ON u.id = q.user_id
  WHERE q.merge_request_id = $1 AND q.role = $2 ORDER BY u.id`;

const REMOVE_SQL = `
  DELETE FROM merge_request_people
  WHERE merge_request_id = $1 AND role = $2 AND user_id = ANY($3::bigint[])`;

const ADD_SQL = `
  INSERT INTO merge_request_people (merge_request_id, role, user_id)
  SELECT $1, $2, unnest($3::bigint[])`;

const USER_IDS_SQL = `
  SELECT id FROM users WHERE lower(username) = ANY($1::text[]) OR id::text = ANY($1::text[])`;

/** The users who are to have a role; undefined leaves them as they are. */
interface WantedPeople {
  role: MergeRequestRole;
  userIds: readonly number[] | undefined;
}

/** Owns every statement about assignees and reviewers. */
@Injectable()
export class MergeRequestPeopleRepository extends Repository<MergeRequestPerson> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(MergeRequestPerson, dataSource.manager);
  }

  /** Returns the users with a role in a merge request, by id. */
  listByRole(
    manager: EntityManager,
    mergeRequestId: number,
    role: MergeRequestRole,
  ): Promise<NamedUser[]> {
    const values = [mergeRequestId, role];
    return queryPrepared(manager, { name: 'list-people', text: PRESENT_SQL, values });
  }

  /** Returns those of the users who can read the merge requests of the project. */
  async findReaders(
    manager: EntityManager,
    projectId: number,
    userIds: readonly number[],
  ): Promise<NamedUser[]> {
    if (userIds.length === 0) return [];
    const values = [userIds, projectId];
    return queryPrepared(manager, { name: 'find-change-readers', text: READERS_SQL, values });
  }

  /**
   * Replaces the users with a role in a merge request, whose row the caller holds. Users who cannot
   * read it are ignored, as v4 does.
   */
  async replace(
    manager: EntityManager,
    { id, projectId }: { id: number; projectId: number },
    { role, userIds: wanted }: WantedPeople,
  ): Promise<PeopleChange> {
    if (wanted === undefined) return NO_PEOPLE;
    const present = await this.listByRole(manager, id, role);
    const find = (ids: readonly number[]): Promise<NamedUser[]> =>
      this.findReaders(manager, projectId, ids);
    const { added, removed } = await peopleChange(present, wanted, find);
    const idsOf = (users: readonly NamedUser[]): number[] => users.map((user) => user.id);
    if (removed.length > 0) await manager.query(REMOVE_SQL, [id, role, idsOf(removed)]);
    if (added.length > 0) await manager.query(ADD_SQL, [id, role, idsOf(added)]);
    return { added, removed };
  }

  /** Returns the ids of the users with these usernames or ids; unknown ones are skipped. */
  async findUserIds(people: readonly string[]): Promise<number[]> {
    if (people.length === 0) return [];
    const names = people.map((name) => name.replace(/^@/, '').toLowerCase());
    const found = await this.queries.rows<{ id: number }>(USER_IDS_SQL, [names]);
    return found.map(({ id }) => id);
  }
}
