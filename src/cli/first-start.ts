import type { INestApplicationContext } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { Config } from '../config/env.js';
import { PERSONAL_TOKEN_SCOPES } from '../core/access/scopes.js';
import { SYSTEM_ACTOR } from '../core/audit/audit.service.js';
import { TokenCreationService } from '../identity/tokens/token-creation.service.js';
import { UserCreationService } from '../identity/users/user-creation.service.js';
import type { User } from '../identity/users/user.entity.js';
import { CliError } from './cli.js';

const MIN_TOKEN_LENGTH = 20;

/** The first administrator; secrets that were made here appear, those of the operator do not. */
export interface FirstStart {
  root: User;
  password?: string;
  token?: string;
}

/**
 * Creates the administrator `root` and a token of theirs with every scope. Password and token
 * are those of the configuration or else made at random.
 */
export async function createRoot(
  app: INestApplicationContext,
  { initialRootPassword, initialRootToken, baseUrl }: Config,
): Promise<FirstStart> {
  if (initialRootToken !== undefined && initialRootToken.length < MIN_TOKEN_LENGTH) {
    throw new CliError(`INITIAL_ROOT_TOKEN must have at least ${MIN_TOKEN_LENGTH} characters`);
  }
  const password = initialRootPassword ?? randomBytes(16).toString('hex');
  const root = await app.get(UserCreationService).create(
    {
      username: 'root',
      name: 'Administrator',
      email: `root@${new URL(baseUrl).hostname}`,
      password,
      attributes: { admin: true },
    },
    SYSTEM_ACTOR,
  );
  const { raw } = await app.get(TokenCreationService).create(
    {
      userId: root.id,
      name: 'First start',
      scopes: PERSONAL_TOKEN_SCOPES,
      // The operator's way in must not close by itself; it is for them to rotate or revoke it.
      expiresAt: null,
      ...(initialRootToken !== undefined && { raw: initialRootToken }),
    },
    SYSTEM_ACTOR,
  );
  return {
    root,
    ...(initialRootPassword === undefined && { password }),
    ...(initialRootToken === undefined && { token: raw }),
  };
}
