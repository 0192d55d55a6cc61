import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { changesBetween } from '../core/audit/changes.js';
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  ValidationFailedError,
} from '../core/errors.js';
import type { Preconditions } from '../core/preconditions.js';
import { Sql } from '../core/sql/sql.service.js';
import type { AddMemberDto } from './dto/add-member.dto.js';
import type { UpdateMemberDto } from './dto/update-member.dto.js';
import { chosenUserId } from './member-user.js';
import { assertNotLastOwner, inheritedLevel, lockSource } from './membership-rules.js';
import { SOURCE_COLUMNS, type MemberSource } from './member-source.js';
import { removeMembershipsBelow } from './memberships-below.js';
import { ROLES, roleName } from './roles.js';

/** Who changes memberships: `level` is their own in the source, Owner for administrators. */
export interface MemberManager {
  actor: AuditActor;
  level: number;
}

interface NewMember {
  userId: number;
  accessLevel: number;
  expiresAt: string | null;
}

interface MembershipRow {
  id: number;
  accessLevel: number;
  expiresAt: string | null;
  updatedAt: Date;
}

/** What the audit trail tells of a membership. */
type Membership = Pick<NewMember, 'accessLevel' | 'expiresAt'>;
const NO_MEMBERSHIP = { accessLevel: null, expiresAt: null };

interface MemberEntry {
  action: string;
  userId: number;
  details: Record<string, unknown>;
}

/** Whose direct membership is to change, and under which conditions. */
interface MemberChoice {
  userId: number;
  preconditions: Preconditions;
}

/**
 * Adds, changes and removes memberships of projects and groups (API doc, members). Nobody hands
 * out or takes away a level above their own; a group keeps an owner.
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly sql: Sql,
  ) {}

  /**
   * Answers the new member's user id. Throws 403, 404 for an unknown user, 409 for a member, 400
   * for a level or date that is no use.
   */
  async add(source: MemberSource, dto: AddMemberDto, manager: MemberManager): Promise<number> {
    if (dto.access_level > manager.level) throw new ForbiddenError();
    const userId = await chosenUserId(this.sql, dto);
    const member = { userId, accessLevel: dto.access_level, expiresAt: dto.expires_at ?? null };
    await this.dataSource.transaction(async (tx) => {
      await lockSource(tx, source);
      await assertMayJoin(tx, source, userId);
      await assertSensible(tx, source, member);
      await insertMember(tx, source, { ...member, createdById: manager.actor.viewer?.id ?? null });
      await this.record(tx, manager.actor, source, {
        action: 'member_created',
        userId,
        details: changesBetween<Membership>({}, membershipOf(member)),
      });
    });
    return userId;
  }

  /** Throws 403, 404 for a user without direct membership, 412, and 400 as `add` does. */
  async update(
    source: MemberSource,
    { dto, ...choice }: MemberChoice & { dto: UpdateMemberDto },
    manager: MemberManager,
  ): Promise<void> {
    const { userId } = choice;
    const accessLevel = dto.access_level;
    await this.dataSource.transaction(async (tx) => {
      const member = await lockDirect(tx, source, choice);
      if (Math.max(member.accessLevel, accessLevel) > manager.level) throw new ForbiddenError();
      const expiresAt = dto.expires_at === undefined ? member.expiresAt : dto.expires_at;
      await assertSensible(tx, source, { userId, accessLevel, expiresAt });
      const staysOwner = accessLevel >= ROLES.owner && expiresAt === null;
      if (!staysOwner) await assertNotLastOwner(tx, source, userId);
      await tx.query(
        `UPDATE members SET access_level = $2, expires_at = $3, updated_at = now() WHERE id = $1`,
        [member.id, accessLevel, expiresAt],
      );
      await this.record(tx, manager.actor, source, {
        action: 'member_updated',
        userId,
        details: changesBetween<Membership>(membershipOf(member), { accessLevel, expiresAt }),
      });
    });
  }

  /**
   * Removes a direct membership, and those below the group unless told to keep them.
   * Everybody may leave; throws 403 for the last owner of a group, 404 as `update` does.
   */
  async remove(
    source: MemberSource,
    { keepBelow, ...choice }: MemberChoice & { keepBelow: boolean },
    manager: MemberManager,
  ): Promise<void> {
    const { userId } = choice;
    const isOwn = manager.actor.viewer?.id === userId;
    await this.dataSource.transaction(async (tx) => {
      const member = await lockDirect(tx, source, choice);
      if (!isOwn && member.accessLevel > manager.level) throw new ForbiddenError();
      await assertNotLastOwner(tx, source, userId);
      await tx.query('DELETE FROM members WHERE id = $1', [member.id]);
      const withBelow = source.kind === 'group' && !keepBelow;
      const below = withBelow ? await removeMembershipsBelow(tx, source.id, userId) : [];
      for (const removed of [{ source, ...membershipOf(member) }, ...below]) {
        await this.record(tx, manager.actor, removed.source, {
          action: 'member_removed',
          userId,
          details: changesBetween<Membership>(membershipOf(removed), NO_MEMBERSHIP),
        });
      }
    });
  }

  private record(
    tx: EntityManager,
    actor: AuditActor,
    ...[{ kind, id }, { userId, ...entry }]: [Pick<MemberSource, 'kind' | 'id'>, MemberEntry]
  ): Promise<void> {
    const entity = { type: kind === 'project' ? 'Project' : 'Group', id } as const;
    return this.audit.recordChange(tx, actor, {
      ...entry,
      targetType: 'User',
      targetId: userId,
      entity,
    });
  }
}

function membershipOf({ accessLevel, expiresAt }: Membership): Membership {
  return { accessLevel, expiresAt };
}

/** Bots join no project or group but that of their token. */
async function assertMayJoin(
  tx: EntityManager,
  source: MemberSource,
  userId: number,
): Promise<void> {
  const rows: { isForeignBot: boolean }[] = await tx.query(
    `SELECT u.user_type = 'project_bot' AND NOT EXISTS (
       SELECT 1 FROM access_tokens t WHERE t.user_id = u.id AND t.${source.kind}_id = $2
     ) AS "isForeignBot"
     FROM users u WHERE u.id = $1`,
    [userId, source.id],
  );
  const [user] = rows;
  if (user === undefined) throw new NotFoundError('User');
  if (!user.isForeignBot) return;
  const text = 'project bots cannot be added to other groups / projects';
  throw new ValidationFailedError({ user: [text] });
}

async function assertSensible(
  tx: EntityManager,
  source: MemberSource,
  member: NewMember,
): Promise<void> {
  const inherited = await inheritedLevel(tx, source, member.userId);
  if (inherited !== null && member.accessLevel < inherited.level) {
    const text = `should be greater than or equal to ${roleName(inherited.level)} inherited membership from group ${inherited.groupName}`;
    throw new ValidationFailedError({ access_level: [text] });
  }
  const { expiresAt } = member;
  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  if (expiresAt !== null && expiresAt < today) {
    throw new ValidationFailedError({ expires_at: ['cannot be a date in the past'] });
  }
}

/** A membership that has expired counts as none and is taken over. Throws 409. */
async function insertMember(
  tx: EntityManager,
  source: MemberSource,
  member: NewMember & { createdById: number | null },
): Promise<void> {
  const column = SOURCE_COLUMNS[source.kind];
  const rows: unknown[] = await tx.query(
    `INSERT INTO members AS m (${column}, user_id, access_level, expires_at, created_by_id)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (${column}, user_id) DO UPDATE SET access_level = EXCLUDED.access_level,
       expires_at = EXCLUDED.expires_at, created_by_id = EXCLUDED.created_by_id,
       created_at = now(), updated_at = now()
     WHERE m.expires_at <= (now() AT TIME ZONE 'UTC')::date
     RETURNING m.id`,
    [source.id, member.userId, member.accessLevel, member.expiresAt, member.createdById],
  );
  if (rows.length === 0) throw new ConflictError('Member already exists');
}

async function lockDirect(
  tx: EntityManager,
  source: MemberSource,
  { userId, preconditions }: MemberChoice,
): Promise<MembershipRow> {
  await lockSource(tx, source);
  const rows: MembershipRow[] = await tx.query(
    `SELECT id, access_level AS "accessLevel", expires_at AS "expiresAt",
            updated_at AS "updatedAt" FROM members
     WHERE ${SOURCE_COLUMNS[source.kind]} = $1 AND user_id = $2`,
    [source.id, userId],
  );
  const [member] = rows;
  if (member === undefined) throw new NotFoundError();
  preconditions.check(member.updatedAt);
  return member;
}
