import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { changesBetween } from '../../core/audit/changes.js';
import { processAvatar } from '../../core/avatars/avatar-images.js';
import { storeAvatar } from '../../core/avatars/store-avatar.js';
import { Clock } from '../../core/clock.js';
import { ValidationFailedError } from '../../core/errors.js';
import { hashPassword } from '../../core/passwords.js';
import type { Preconditions } from '../../core/preconditions.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { userColumns, type UpdateUserDto } from './user.dto.js';
import { NamespacesRepository } from './namespaces.repository.js';
import { assertValidUser, translateConflict } from './user-rules.js';
import { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** One change of a user: whose, what, and under which conditions. */
export interface UserUpdate {
  id: number;
  dto: UpdateUserDto;
  preconditions: Preconditions;
}

/** Changes what administrators can change of a user. */
@Injectable()
export class UserUpdateService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
    private readonly namespaces: NamespacesRepository,
  ) {}

  /**
   * Throws 404 for an unknown user, 412 when it changed since the client looked, 400 with
   * messages per attribute (bots and internal users have no password and are no administrators),
   * 409 when the username or the email address is taken.
   */
  async update(update: UserUpdate, actor: AuditActor): Promise<void> {
    const avatar = await processAvatar(update.dto.avatar);
    const columns = {
      ...(await this.columnsOf(update)),
      ...(avatar !== undefined && { avatar: avatar?.digest ?? null }),
    };
    try {
      await this.dataSource.transaction(async (tx) => {
        await this.apply(tx, { ...update, columns }, actor);
        await storeAvatar(tx, { kind: 'user', id: update.id }, avatar);
      });
    } catch (error) {
      throw translateConflict(error);
    }
  }

  private async columnsOf({ id, dto }: UserUpdate): Promise<Partial<User>> {
    const { username, name, email, password } = dto;
    const named = {
      ...(username != null && { username }),
      ...(name != null && { name }),
      ...(email != null && { email }),
    };
    assertValidUser(named, password == null ? undefined : await this.newPassword(id, dto));
    const passwordDigest = password == null ? undefined : await hashPassword(password);
    return {
      ...userColumns(dto),
      ...named,
      ...(passwordDigest !== undefined && { passwordDigest }),
    };
  }

  /** The password with whose it is going to be: by the names as they will be. */
  private async newPassword(id: number, { password, ...dto }: UpdateUserDto) {
    const user = await this.dataSource.manager.findOneBy(User, { id });
    const owner = {
      username: dto.username ?? user?.username,
      name: dto.name ?? user?.name,
      email: dto.email ?? user?.email,
    };
    return { value: password ?? '', owner, settings: this.settings.values };
  }

  private async apply(
    tx: EntityManager,
    { id, columns, preconditions }: UserUpdate & { columns: Partial<User> },
    actor: AuditActor,
  ): Promise<void> {
    const user = await this.users.lock(tx, id);
    preconditions.check(user.updatedAt);
    assertFitsType(user, columns);
    await tx.update(User, { id }, { ...columns, updatedAt: this.clock.now() });
    const { username = user.username, name = user.name } = columns;
    if (username !== user.username || name !== user.name) {
      await this.namespaces.renameOfUser(tx, { id, username, name });
    }
    await this.audit.recordChange(tx, actor, {
      action: 'user_updated',
      targetType: 'User',
      targetId: id,
      details: detailsOf(user, columns),
    });
  }
}

/**
 * Bots cannot be administrators: everyone who manages their tokens would have an administrator's
 * token.
 */
function assertFitsType({ userType }: User, { admin, passwordDigest }: Partial<User>): void {
  if (userType === 'human') return;
  const problem = ['is for people only'];
  const refused = {
    ...(admin === true && { admin: problem }),
    ...(passwordDigest != null && { password: problem }),
  };
  if (Object.keys(refused).length > 0) throw new ValidationFailedError(refused);
}

/** Of the password only that it changed. */
function detailsOf(user: User, columns: Partial<User>): Record<string, unknown> {
  const { passwordDigest, ...rest } = columns;
  const changes = changesBetween<User>(user, rest);
  return passwordDigest === undefined ? changes : { ...changes, password: '[changed]' };
}
