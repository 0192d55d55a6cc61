import { Injectable } from '@nestjs/common';
import { mayUserAct } from '../identity/auth/user-state.js';
import type { Credential } from '../core/access/viewer.js';
import { Clock } from '../core/clock.js';
import { TokenLookup } from '../identity/tokens/token-lookup.service.js';
import { OAuthTokensRepository } from './oauth-tokens.repository.js';

/** An OAuth access token that works at this moment. */
export interface ActiveToken {
  /** null = token of an application without a user (client credentials). */
  userId: number | null;
  scopes: string[];
  applicationUid: string | null;
  createdAt: Date;
  /** null = it never ends. */
  secondsLeft: number | null;
}

/** Finds OAuth access tokens that work, as a rule without a query. */
@Injectable()
export class ActiveTokens {
  constructor(
    private readonly tokens: TokenLookup,
    private readonly oauthTokens: OAuthTokensRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns null for tokens that are unknown, expired, revoked, no OAuth tokens, or of an inactive
   * user.
   */
  async find(raw: string): Promise<ActiveToken | null> {
    const credential = await this.tokens.findAny(raw);
    return credential === null ? this.ofApplication(raw) : this.ofUser(credential);
  }

  private ofUser(credential: Credential): ActiveToken | null {
    const { kind, user, scopes, revokedAt, expiresAt, applicationUid, createdAt } = credential;
    if (kind !== 'oauth' || revokedAt !== null || !mayUserAct(user)) return null;
    const secondsLeft = expiresAt === null ? null : this.secondsUntil(expiresAt);
    if (secondsLeft !== null && secondsLeft <= 0) return null;
    return { userId: user.id, scopes, applicationUid, createdAt, secondsLeft };
  }

  /** The API does not accept tokens without a user. */
  private async ofApplication(raw: string): Promise<ActiveToken | null> {
    const token = await this.oauthTokens.findActive(raw);
    if (token === null || token.userId !== null || token.isRefresh) return null;
    return { ...token, secondsLeft: this.secondsUntil(token.expiresAt) };
  }

  private secondsUntil(end: Date): number {
    return Math.ceil((end.getTime() - this.clock.now().getTime()) / 1_000);
  }
}
