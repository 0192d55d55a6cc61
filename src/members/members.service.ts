import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Activity } from '../activity/activity.service.js';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { changesBetween } from '../core/audit/changes.js';
import { ForbiddenError } from '../core/errors.js';
import { Sql } from '../core/sql/sql.service.js';
import type { AddMemberDto } from './dto/add-member.dto.js';
import type { UpdateMemberDto } from './dto/update-member.dto.js';
import { membershipEvents } from './membership-events.js';
import { chosenUserId } from './member-user.js';
import { trailOfSource, type MemberSource, type SourceKey } from './member-source.js';
import { insertMember, lockDirect, lockSource, type MemberChoice } from './membership-rows.js';
import {
  assertMayJoin,
  assertNotLastOwner,
  assertSensible,
  type NewMember,
} from './membership-rules.js';
import { removeMembershipsBelow } from './memberships-below.js';
import { ROLES } from './roles.js';

/** Who changes memberships: `level` is their own in the source, Owner for administrators. */
export interface MemberManager {
  actor: AuditActor;
  level: number;
}

/** What the audit trail tells of a membership. */
type Membership = Pick<NewMember, 'accessLevel' | 'expiresAt'>;
const NO_MEMBERSHIP = { accessLevel: null, expiresAt: null };

interface MemberEntry {
  action: string;
  userId: number;
  details: Record<string, unknown>;
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
    private readonly activity: Activity,
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
      await this.activity.record(tx, membershipEvents('joined', userId, [source]));
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
      const left = [source, ...below.map((removed) => removed.source)];
      await this.activity.record(tx, membershipEvents('left', userId, left));
    });
  }

  private record(
    tx: EntityManager,
    actor: AuditActor,
    ...[source, { userId, ...entry }]: [SourceKey, MemberEntry]
  ): Promise<void> {
    return this.audit.recordChange(tx, actor, {
      ...entry,
      targetType: 'User',
      targetId: userId,
      entity: trailOfSource(source),
    });
  }
}

function membershipOf({ accessLevel, expiresAt }: Membership): Membership {
  return { accessLevel, expiresAt };
}
