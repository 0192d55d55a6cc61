import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Activity } from '../../core/activity/activity.service.js';
import { AuditLog, type AuditActor, changesBetween } from '../../core/audit/audit.service.js';
import {
  ForbiddenError,
  InvalidParamsError,
  NotFoundError,
  ValidationFailedError,
} from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import { UsersRepository } from '../users/users.repository.js';
import { AccessRequestsRepository } from './access-requests/access-requests.repository.js';
import type { AddMemberDto, UpdateMemberDto } from './member.dto.js';
import {
  membershipEvents,
  trailOfSource,
  type MemberSource,
  type SourceKey,
} from './member-source.js';
import { MembersRepository, type MembershipValues } from './members.repository.js';
import { ROLES, roleName } from './roles.js';

/** The user whose direct membership changes, and the conditions of the request. */
interface MemberChoice {
  userId: number;
  preconditions: Preconditions;
}

/** User who manages memberships: `level` is their own in the source, Owner for administrators. */
export interface MemberManager {
  actor: AuditActor;
  level: number;
}

/** Returns the member manager of a request; administrators count as Owner. */
export function managerOf(container: { accessLevel: number }, auth: AuthContext): MemberManager {
  return { actor: auth, level: auth.viewer?.admin === true ? ROLES.owner : container.accessLevel };
}

const NO_MEMBERSHIP = { accessLevel: null, expiresAt: null };

interface MemberEntry {
  action: string;
  userId: number;
  details: Record<string, unknown>;
}

/**
 * Adds, changes and removes memberships of projects and groups (API doc, members). Users cannot
 * grant or revoke a level above their own; a group keeps an owner.
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly activity: Activity,
    private readonly members: MembersRepository,
    private readonly requests: AccessRequestsRepository,
    private readonly users: UsersRepository,
  ) {}

  /**
   * Returns the new member's user id; their access request ends. Throws 403, 404 for an unknown user
   * and, if `isRequested`, without a request, 409 for a member, 400 for an invalid level or date.
   */
  async add(
    source: MemberSource,
    dto: AddMemberDto,
    manager: MemberManager,
    isRequested = false,
  ): Promise<number> {
    if (dto.access_level > manager.level) throw new ForbiddenError();
    const userId = await this.findUserId(dto);
    const member = { userId, accessLevel: dto.access_level, expiresAt: dto.expires_at ?? null };
    await this.dataSource.transaction(async (tx) => {
      await this.members.lockSource(tx, source);
      const hadRequest = await this.requests.deleteOf(tx, source, userId);
      if (isRequested && !hadRequest) throw new NotFoundError();
      await this.assertCanJoin(tx, source, userId);
      await this.assertValid(tx, source, member);
      await this.members.add(tx, source, {
        ...member,
        createdById: manager.actor.viewer?.id ?? null,
      });
      await this.record(tx, manager.actor, source, {
        action: 'member_created',
        userId,
        details: {
          ...changesBetween<MembershipValues>({}, membershipOf(member)),
          ...(hadRequest && { access_request: 'approved' }),
        },
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
      const member = await this.members.lockDirect(tx, source, userId);
      choice.preconditions.check(member.updatedAt);
      if (Math.max(member.accessLevel, accessLevel) > manager.level) throw new ForbiddenError();
      const expiresAt = dto.expires_at === undefined ? member.expiresAt : dto.expires_at;
      await this.assertValid(tx, source, { userId, accessLevel, expiresAt });
      const staysOwner = accessLevel >= ROLES.owner && expiresAt === null;
      if (!staysOwner) await this.assertNotLastOwner(tx, source, userId);
      await this.members.change(tx, member.id, { accessLevel, expiresAt });
      await this.record(tx, manager.actor, source, {
        action: 'member_updated',
        userId,
        details: changesBetween<MembershipValues>(membershipOf(member), { accessLevel, expiresAt }),
      });
    });
  }

  /**
   * Removes a direct membership, and those below the group unless `keepBelow` is set. Everyone can
   * leave; throws 403 for the last owner of a group, 404 as `update` does.
   */
  async remove(
    source: MemberSource,
    { keepBelow, ...choice }: MemberChoice & { keepBelow: boolean },
    manager: MemberManager,
  ): Promise<void> {
    const { userId } = choice;
    const isOwn = manager.actor.viewer?.id === userId;
    await this.dataSource.transaction(async (tx) => {
      const member = await this.members.lockDirect(tx, source, userId);
      choice.preconditions.check(member.updatedAt);
      if (!isOwn && member.accessLevel > manager.level) throw new ForbiddenError();
      await this.assertNotLastOwner(tx, source, userId);
      await this.members.deleteById(tx, member.id);
      const withBelow = source.kind === 'group' && !keepBelow;
      const below = withBelow ? await this.members.deleteBelow(tx, source.id, userId) : [];
      for (const removed of [{ source, ...membershipOf(member) }, ...below]) {
        await this.record(tx, manager.actor, removed.source, {
          action: 'member_removed',
          userId,
          details: changesBetween<MembershipValues>(membershipOf(removed), NO_MEMBERSHIP),
        });
      }
      const left = [source, ...below.map((removed) => removed.source)];
      await this.activity.record(tx, membershipEvents('left', userId, left));
    });
  }

  /**
   * Returns the id of the user that a new membership names by id or by username in any case.
   * Throws 400 unless exactly one is given, 404 for an unknown username.
   */
  private async findUserId({ user_id: id, username }: AddMemberDto): Promise<number> {
    if (id && username) throw new InvalidParamsError(['user_id, username are mutually exclusive']);
    if (id) return id;
    if (!username) {
      const text = 'user_id, username are missing, at least one parameter must be provided';
      throw new InvalidParamsError([text]);
    }
    const userId = await this.users.findIdByUsername(username);
    if (userId === null) throw new NotFoundError('User');
    return userId;
  }

  /** Bots join no project or group but that of their token (400); 404 for an unknown user. */
  private async assertCanJoin(
    tx: EntityManager,
    source: MemberSource,
    userId: number,
  ): Promise<void> {
    const user = await this.members.findJoining(tx, source, userId);
    if (user === null) throw new NotFoundError('User');
    if (!user.isForeignBot) return;
    const text = 'project bots cannot be added to other groups / projects';
    throw new ValidationFailedError({ user: [text] });
  }

  /** Throws 400 for a level below the inherited one and for a day that has begun. */
  private async assertValid(
    tx: EntityManager,
    source: MemberSource,
    { userId, accessLevel, expiresAt }: MembershipValues & { userId: number },
  ): Promise<void> {
    const inherited = await this.members.findInherited(tx, source, userId);
    if (inherited !== null && accessLevel < inherited.level) {
      const text = `should be greater than or equal to ${roleName(inherited.level)} inherited membership from group ${inherited.groupName}`;
      throw new ValidationFailedError({ access_level: [text] });
    }
    const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
    if (expiresAt === null || expiresAt > today) return;
    // A membership ends when the day begins.
    const text = expiresAt === today ? 'must be later than today' : 'cannot be a date in the past';
    throw new ValidationFailedError({ expires_at: [text] });
  }

  /**
   * Throws 403 when a group would have no owner without the user's direct membership, now or once
   * other memberships expire; owners of the groups above count, bots do not. Projects need none,
   * since their namespace has one.
   */
  private async assertNotLastOwner(
    tx: EntityManager,
    source: MemberSource,
    userId: number,
  ): Promise<void> {
    if (source.kind === 'project') return;
    const owners = await this.members.findOwners(tx, source.id);
    const isOwner = owners.some((owner) => owner.userId === userId && owner.direct);
    const othersRemain = owners.some(
      (owner) => owner.stays && (owner.userId !== userId || !owner.direct),
    );
    if (isOwner && !othersRemain) throw new ForbiddenError();
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

function membershipOf({ accessLevel, expiresAt }: MembershipValues): MembershipValues {
  return { accessLevel, expiresAt };
}
