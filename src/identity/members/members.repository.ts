import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { ConflictError, NotFoundError } from '../../core/errors.js';
import type { JsonItem } from '../../core/pagination/json-items.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions } from '../../core/sql/conditions.js';
import { JsonPages, type ItemFormat } from '../../core/sql/json-pages.service.js';
import { Sql } from '../../core/sql/sql.service.js';
import { SOURCE_COLUMNS, type MemberSource, type SourceKey } from './member-source.js';
import { Member } from './member.entity.js';
import type { MemberRow } from './member.presenter.js';
import { NO_ACCESS, ROLES } from './roles.js';
import { accessLevelSql } from './sql/access.js';
import {
  DELETE_BELOW_SQL,
  DELETE_EXPIRED_SQL,
  INHERITED_SQL,
  insertSql,
  joiningSql,
  MEMBER_COLUMNS,
  MEMBER_JOINS,
  membershipsFrom,
  membersStatement,
  OWNERS_SQL,
  type MemberReach,
  type MembersQuery,
} from './sql/members.js';

const PROJECT_LEVEL_SQL = `
  SELECT ${accessLevelSql('$1', 'n', 'p.id')} AS level
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = $2`;

/** The part of a membership that requests change. */
export type MembershipValues = Pick<Member, 'accessLevel' | 'expiresAt'>;

/** A direct membership, with its source locked. */
type LockedMember = Pick<Member, 'id' | 'accessLevel' | 'expiresAt' | 'updatedAt'>;

/** A membership that was deleted, with the project or group that it was in. */
export interface DeletedMembership extends MembershipValues {
  userId: number;
  source: SourceKey;
}

/** An owner of a group, or of a group above it; `stays` without an expiry date. */
interface GroupOwner {
  userId: number;
  direct: boolean;
  stays: boolean;
}

interface DeletedRow extends MembershipValues {
  userId: number;
  groupId: number | null;
  projectId: number;
}

type BelowRow = Omit<DeletedRow, 'userId' | 'groupId'> & { namespaceId: number | null };

/** Owns every statement about memberships; `sql/access.ts` has the fragments of other features. */
@Injectable()
export class MembersRepository extends Repository<Member> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    private readonly pages: JsonPages,
  ) {
    super(Member, dataSource.manager);
  }

  /** Returns one page of members by user id; with reach `all` each once, with the highest level. */
  list(source: MemberSource, query: MembersQuery, paging: Paging): Promise<Page<MemberRow>> {
    return this.queries.page<MemberRow>(membersStatement(source, query), paging);
  }

  /** The same as JSON. */
  listItems<Item>(
    source: MemberSource,
    query: MembersQuery,
    { paging, format }: { paging: Paging; format: ItemFormat<Item, MemberRow, object> },
  ): Promise<Page<JsonItem<Item>>> {
    return this.pages.page(membersStatement(source, query), paging, format);
  }

  /** Returns the membership of a user; throws NotFoundError. */
  async findMember(source: MemberSource, reach: MemberReach, userId: number): Promise<MemberRow> {
    const where = new Conditions();
    const from = `${membershipsFrom(source, reach, where)} ${MEMBER_JOINS}`;
    where.and(`m.user_id = ${where.value(userId)}`);
    const text = `SELECT ${MEMBER_COLUMNS} FROM ${from} WHERE ${String(where)}`;
    const row = await this.queries.row<MemberRow>(text, where.values);
    if (row === null) throw new NotFoundError();
    return row;
  }

  /** Returns the effective level of a user in a project, 0 for none. */
  async levelInProject(userId: number, projectId: number): Promise<number> {
    const row = await this.queries.row<{ level: number }>(PROJECT_LEVEL_SQL, [userId, projectId]);
    return row?.level ?? NO_ACCESS;
  }

  /** Lets changes of the source's memberships happen one after the other. */
  async lockSource(manager: EntityManager, source: MemberSource): Promise<void> {
    const table = source.kind === 'project' ? 'projects' : 'namespaces';
    await manager.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [source.id]);
  }

  /** Returns a user's direct membership and locks its source; throws NotFoundError. */
  async lockDirect(
    manager: EntityManager,
    source: MemberSource,
    userId: number,
  ): Promise<LockedMember> {
    await this.lockSource(manager, source);
    const rows = await manager.query<LockedMember[]>(
      `SELECT id, access_level AS "accessLevel", expires_at AS "expiresAt",
              updated_at AS "updatedAt" FROM members
       WHERE ${SOURCE_COLUMNS[source.kind]} = $1 AND user_id = $2`,
      [source.id, userId],
    );
    const [member] = rows;
    if (member === undefined) throw new NotFoundError();
    return member;
  }

  /** Returns the highest level of a user through a group above the source, null without one. */
  async findInherited(
    manager: EntityManager,
    source: MemberSource,
    userId: number,
  ): Promise<{ level: number; groupName: string } | null> {
    const rows = await manager.query<{ level: number; groupName: string }[]>(INHERITED_SQL, [
      source.namespaceId,
      userId,
      source.kind === 'project',
    ]);
    return rows[0] ?? null;
  }

  /** Returns the owners of a group, directly or through a group above it. */
  findOwners(manager: EntityManager, groupId: number): Promise<GroupOwner[]> {
    return manager.query<GroupOwner[]>(OWNERS_SQL, [groupId]);
  }

  /** Returns null for an unknown user; `isForeignBot` for a bot of another project or group. */
  async findJoining(
    manager: EntityManager,
    source: SourceKey,
    userId: number,
  ): Promise<{ isForeignBot: boolean } | null> {
    const rows = await manager.query<{ isForeignBot: boolean }[]>(joiningSql(source.kind), [
      userId,
      source.id,
    ]);
    return rows[0] ?? null;
  }

  /** Takes over a membership that has expired; throws ConflictError for a member. */
  async add(
    manager: EntityManager,
    source: SourceKey,
    member: MembershipValues & Pick<Member, 'userId' | 'createdById'>,
  ): Promise<void> {
    const { userId, accessLevel, expiresAt, createdById } = member;
    const values = [source.id, userId, accessLevel, expiresAt, createdById];
    const rows = await manager.query<unknown[]>(insertSql(source.kind), values);
    if (rows.length === 0) throw new ConflictError('Member already exists');
  }

  /** Makes the user who creates a group its owner. */
  async addGroupOwner(manager: EntityManager, groupId: number, userId: number): Promise<void> {
    await manager.query(
      'INSERT INTO members (namespace_id, user_id, access_level, created_by_id) VALUES ($1, $2, $3, $2)',
      [groupId, userId, ROLES.owner],
    );
  }

  /** Sets the level and expiry date of a membership. */
  async change(
    manager: EntityManager,
    id: number,
    { accessLevel, expiresAt }: MembershipValues,
  ): Promise<void> {
    await manager.query(
      `UPDATE members SET access_level = $2, expires_at = $3, updated_at = now() WHERE id = $1`,
      [id, accessLevel, expiresAt],
    );
  }

  /** Deletes one membership. */
  async deleteById(manager: EntityManager, id: number): Promise<void> {
    await manager.query('DELETE FROM members WHERE id = $1', [id]);
  }

  /** Deletes a user's memberships in a group, in all groups below it and in their projects. */
  async deleteBelow(
    manager: EntityManager,
    groupId: number,
    userId: number,
  ): Promise<DeletedMembership[]> {
    const values = [groupId, userId];
    const [rows] = await manager.query<[BelowRow[], number]>(DELETE_BELOW_SQL, values);
    return rows.map(({ namespaceId: groupId, ...row }) => toDeleted({ ...row, groupId, userId }));
  }

  /** Deletes at most EXPIRED_BATCH memberships that have expired. */
  async deleteExpired(manager: EntityManager): Promise<DeletedMembership[]> {
    const [rows] = await manager.query<[DeletedRow[], number]>(DELETE_EXPIRED_SQL);
    return rows.map(toDeleted);
  }
}

function toDeleted({
  userId,
  groupId,
  projectId,
  accessLevel,
  expiresAt,
}: DeletedRow): DeletedMembership {
  const source =
    groupId === null
      ? ({ kind: 'project', id: projectId } as const)
      : ({ kind: 'group', id: groupId } as const);
  return { userId, source, accessLevel, expiresAt };
}
