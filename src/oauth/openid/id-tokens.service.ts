import { Inject, Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Clock } from '../../core/clock.js';
import { identityClaims } from './claims.js';
import { ClaimsRepository } from './claims.repository.js';
import { ID_TOKEN_SECONDS } from './signing-key-schedule.js';
import { SIGNING_ALGORITHM } from './signing-key-store.service.js';
import { SigningKeys } from './signing-keys.service.js';

/** Subject and audience of an id_token. */
export interface IdTokenRequest {
  userId: number;
  /** The client's uid. */
  clientId: string;
  scopes: readonly string[];
  /** Of the authorization request; null at refreshes and where none was sent. */
  nonce: string | null;
  /** Time of the sign-in; null without a browser session. */
  authTime: Date | null;
}

/** Issues id_tokens (OpenID Connect Core §2). */
@Injectable()
export class IdTokens {
  constructor(
    private readonly claims: ClaimsRepository,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** A signed token that is good for two minutes; null for a user that is gone. */
  async sign(request: IdTokenRequest): Promise<string | null> {
    const { userId, clientId, scopes, nonce, authTime } = request;
    const [person, key] = await Promise.all([this.claims.findPerson(userId), this.keys.current()]);
    if (person === null) return null;
    const issuedAt = seconds(this.clock.now());
    return new SignJWT({
      ...identityClaims(person, scopes, this.config),
      iss: this.config.baseUrl,
      aud: clientId,
      iat: issuedAt,
      exp: issuedAt + ID_TOKEN_SECONDS,
      ...(nonce !== null && nonce !== '' && { nonce }),
      ...(authTime !== null && { auth_time: seconds(authTime) }),
    })
      .setProtectedHeader({ typ: 'JWT', alg: SIGNING_ALGORITHM, kid: key.kid })
      .sign(key.privateKey);
  }
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
