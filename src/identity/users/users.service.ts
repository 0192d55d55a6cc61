import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog, type AuditActor, changesBetween } from '../../core/audit/audit.service.js';
import { processAvatar, type AvatarImages, storeAvatar } from '../../core/avatars/avatar-images.js';
import { hashPassword } from '../../core/passwords.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { NamespacesRepository } from './namespaces.repository.js';
import { assertValidUser, translateConflict } from './user-rules.js';
import { User } from './user.entity.js';
import { Clock } from '../../core/clock.js';
import { ValidationFailedError } from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import { userColumns, type UpdateUserDto } from './user.dto.js';
import { UsersRepository } from './users.repository.js';

interface NewUser {
  username: string;
  name: string;
  email: string;
  /** null = the user cannot sign in with a password until one is set. */
  password: string | null;
  /** An uploaded image. */
  avatar?: Buffer | null;
  /** Any further columns of the users table. */
  attributes?: Partial<User>;
}

/** A change of a user, with the preconditions of the client. */
interface UserUpdate {
  id: number;
  dto: UpdateUserDto;
  preconditions: Preconditions;
}

/** Creates and updates users together with the namespace that bears their name. */
@Injectable()
export class UsersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersRepository,
    private readonly namespaces: NamespacesRepository,
    private readonly settings: InstanceSettings,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates an active user, confirmed by default; `also` runs in the same transaction. Throws 400
   * with messages per attribute, 409 if the username (also as a group path) or the email is taken.
   */
  async create(
    input: NewUser,
    actor: AuditActor,
    also?: (tx: EntityManager, user: User) => Promise<void>,
  ): Promise<User> {
    const { password, avatar, ...checked } = input;
    const { values: settings } = this.settings;
    const newPassword = password === null ? undefined : { value: password, owner: input, settings };
    assertValidUser(checked, newPassword);
    const images = (await processAvatar(avatar)) ?? null;
    const passwordDigest = password === null ? null : await hashPassword(password);
    try {
      return await this.dataSource.transaction(async (tx) => {
        const user = await this.insert(tx, { ...input, passwordDigest, images }, actor);
        await also?.(tx, user);
        return user;
      });
    } catch (error) {
      throw translateConflict(error);
    }
  }

  private async insert(
    tx: EntityManager,
    input: NewUser & { passwordDigest: string | null; images: AvatarImages | null },
    actor: AuditActor,
  ): Promise<User> {
    const { username, name, email, passwordDigest, images, attributes = {} } = input;
    const values = {
      confirmedAt: new Date(),
      ...attributes,
      username,
      name,
      email,
      passwordDigest,
      avatar: images?.digest ?? null,
    };
    const inserted = await tx.insert(User, values);
    const id = (inserted.identifiers[0] as { id: number }).id;
    await storeAvatar(tx, { kind: 'user', id }, images);
    await this.namespaces.insertOfUser(tx, { id, username, name });
    await this.audit.record(tx, actor, {
      action: 'user_created',
      targetType: 'User',
      targetId: id,
      details: { username, email, admin: attributes.admin === true },
    });
    return tx.findOneByOrFail(User, { id });
  }

  /**
   * Updates a user. Throws 404 for an unknown one, 412 when it changed since the client looked, 400 with
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

  /** Returns the new password with its owner's names after the update. */
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
    if (columns.admin === false && (await this.users.isLastAdministrator(tx, user))) {
      const problem = 'cannot be removed from the only active administrator';
      throw new ValidationFailedError({ admin: [problem] });
    }
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

/** Returns the changed values; of the password only that it changed. */
function detailsOf(user: User, columns: Partial<User>): Record<string, unknown> {
  const { passwordDigest, ...rest } = columns;
  const changes = changesBetween<User>(user, rest);
  return passwordDigest === undefined ? changes : { ...changes, password: '[changed]' };
}
