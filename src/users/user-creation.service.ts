import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { ConflictError, ValidationFailedError } from '../core/errors.js';
import { hashPassword } from '../core/passwords.js';
import { Namespace } from './namespace.entity.js';
import { pathProblems } from './namespace-path.js';
import { User } from './user.entity.js';

export interface NewUser {
  username: string;
  name: string;
  email: string;
  /** null = nobody can sign in with a password until one is set. */
  password: string | null;
  /** Any further columns of the users table. */
  attributes?: Partial<User>;
}

const EMAIL_PATTERN = /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/;
const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 128;

/** Creates users together with the namespace that bears their name. */
@Injectable()
export class UserCreationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Creates a confirmed, active user. Throws 400 with messages per attribute, 409 when the
   * username (also as the path of a group) or the e-mail address is taken.
   */
  async create(input: NewUser, actor: AuditActor): Promise<User> {
    assertValid(input);
    const passwordDigest = input.password === null ? null : await hashPassword(input.password);
    try {
      return await this.dataSource.transaction((tx) =>
        this.insert(tx, { ...input, passwordDigest }, actor),
      );
    } catch (error) {
      throw translateConflict(error);
    }
  }

  private async insert(
    tx: EntityManager,
    input: NewUser & { passwordDigest: string | null },
    actor: AuditActor,
  ): Promise<User> {
    const { username, name, email, passwordDigest, attributes = {} } = input;
    const values = { confirmedAt: new Date(), ...attributes, username, name, email, passwordDigest };
    const inserted = await tx.insert(User, values);
    const id = (inserted.identifiers[0] as { id: number }).id;
    await insertUserNamespace(tx, { id, username, name });
    await this.audit.record(tx, actor, {
      action: 'user_created',
      targetType: 'User',
      targetId: id,
      details: { username },
    });
    return tx.findOneByOrFail(User, { id });
  }
}

async function insertUserNamespace(
  tx: EntityManager,
  owner: Pick<User, 'id' | 'username' | 'name'>,
): Promise<void> {
  const inserted = await tx.insert(Namespace, {
    kind: 'user',
    ownerId: owner.id,
    name: owner.name,
    path: owner.username,
    fullPath: owner.username,
    fullName: owner.name,
  });
  const id = (inserted.identifiers[0] as { id: number }).id;
  await tx.update(Namespace, { id }, { traversalIds: [id] });
}

function assertValid(input: NewUser): void {
  const messages: Record<string, string[]> = {};
  const username = pathProblems(input.username, 'top');
  if (username.length > 0) messages['username'] = username;
  if (input.name.trim() === '') messages['name'] = ["can't be blank"];
  if (!EMAIL_PATTERN.test(input.email)) messages['email'] = ['is invalid'];
  if (input.password !== null) {
    const password = passwordProblems(input.password);
    if (password.length > 0) messages['password'] = password;
  }
  if (Object.keys(messages).length > 0) throw new ValidationFailedError(messages);
}

/** Messages that refuse a password, none when it is good. */
export function passwordProblems(password: string): string[] {
  if (password.length < MIN_PASSWORD_LENGTH) {
    return [`is too short (minimum is ${MIN_PASSWORD_LENGTH} characters)`];
  }
  const isTooLong = password.length > MAX_PASSWORD_LENGTH;
  return isTooLong ? [`is too long (maximum is ${MAX_PASSWORD_LENGTH} characters)`] : [];
}

/** The meaning of the unique violations that creating or renaming a user can meet. */
export function translateConflict(error: unknown): unknown {
  if (!(error instanceof QueryFailedError)) return error;
  const { constraint } = error.driverError as { constraint?: string };
  if (constraint === 'uq_users_email') return new ConflictError('Email has already been taken');
  const isName = constraint === 'uq_users_username' || constraint === 'uq_namespaces_full_path';
  return isName ? new ConflictError('Username has already been taken') : error;
}
