import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { processAvatar, type AvatarImages } from '../../core/avatars/avatar-images.js';
import { storeAvatar } from '../../core/avatars/store-avatar.js';
import { hashPassword } from '../../core/passwords.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { NamespacesRepository } from './namespaces.repository.js';
import { assertValidUser, translateConflict } from './user-rules.js';
import { User } from './user.entity.js';

export interface NewUser {
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

/** Creates users together with the namespace that bears their name. */
@Injectable()
export class UserCreationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly settings: InstanceSettings,
    private readonly namespaces: NamespacesRepository,
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
}
