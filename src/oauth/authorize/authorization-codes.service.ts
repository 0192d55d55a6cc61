import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { credentialDigest } from '../../core/digest.js';
import { OAuthAccessGrant } from '../oauth-access-grant.entity.js';
import { OAuthAccessGrantsRepository } from '../oauth-access-grants.repository.js';
import type { AuthorizationRequest } from './authorization-request.js';

const CODE_BYTES = 32;
const LIFETIME_MS = 600_000;

/** Approved authorization request. */
export interface Approval {
  request: AuthorizationRequest;
  userId: number;
  /** When the person had signed in. */
  authTime: Date;
}

/** Makes authorization codes: 256 random bits that work once, for ten minutes. */
@Injectable()
export class AuthorizationCodes {
  constructor(
    private readonly grants: OAuthAccessGrantsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * A code in the caller's transaction; the raw value is stored nowhere. Throws 404 for an
   * application that was deleted a moment ago.
   */
  async issue(tx: EntityManager, { request, userId, authTime }: Approval): Promise<string> {
    const code = randomBytes(CODE_BYTES).toString('hex');
    const now = this.clock.now();
    await this.grants.lockParties(tx, { userId, applicationId: request.applicationId });
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
