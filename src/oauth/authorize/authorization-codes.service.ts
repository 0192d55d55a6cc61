import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { credentialDigest } from '../../core/digest.js';
import { NotFoundError } from '../../core/errors.js';
import { OAuthAccessGrant } from '../oauth-access-grant.entity.js';
import type { AuthorizationRequest } from './authorization-request.js';

const CODE_BYTES = 32;
const LIFETIME_MS = 600_000;

/** Who ends what the user has given waits for this code, and ends it with the rest. */
const LOCK_SQL = `
  SELECT 1 FROM users u, oauth_applications a WHERE u.id = $1 AND a.id = $2
  FOR SHARE OF u FOR KEY SHARE OF a`;

/** What a person approved. */
export interface Approval {
  request: AuthorizationRequest;
  userId: number;
  /** When the person had signed in. */
  authTime: Date;
}

/** Makes authorization codes: 256 random bits that work once, for ten minutes. */
@Injectable()
export class AuthorizationCodes {
  constructor(private readonly clock: Clock) {}

  /**
   * A code in the caller's transaction; the raw value is stored nowhere. Throws 404 for an
   * application that was deleted a moment ago.
   */
  async issue(tx: EntityManager, { request, userId, authTime }: Approval): Promise<string> {
    const code = randomBytes(CODE_BYTES).toString('hex');
    const now = this.clock.now();
    await lockParties(tx, { userId, applicationId: request.applicationId });
    await tx.insert(OAuthAccessGrant, {
      codeDigest: credentialDigest(code),
      applicationId: request.applicationId,
      userId,
      redirectUri: request.redirectUri,
      scopes: request.scopes,
      codeChallenge: request.codeChallenge,
      nonce: request.nonce,
      authTime,
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
      createdAt: now,
    });
    return code;
  }
}

async function lockParties(
  tx: EntityManager,
  { userId, applicationId }: { userId: number; applicationId: number },
): Promise<void> {
  const rows = await tx.query<object[]>(LOCK_SQL, [userId, applicationId]);
  if (rows.length === 0) throw new NotFoundError('Application');
}
