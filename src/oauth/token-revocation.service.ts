import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog } from '../core/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { TokenLookup } from '../identity/tokens/token-lookup.service.js';
import type { Client } from './oauth-applications.repository.js';
import { ClientAuthentication, type OAuthForm } from './client-authentication.service.js';
import { OAuthError } from './oauth-errors.js';
import {
  OAuthTokensRepository,
  type FoundToken,
  type RevokedToken,
} from './oauth-tokens.repository.js';

interface Reuse {
  action: 'oauth_refresh_token_reused' | 'oauth_code_reused';
  targetType: 'AccessToken' | 'OAuthAccessGrant';
  targetId: number;
  userId: number;
  ip: string | null;
}

/** Revokes chains of OAuth tokens: at their client's request, or because they were stolen. */
@Injectable()
export class TokenRevocation {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly tokens: OAuthTokensRepository,
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly lookup: TokenLookup,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
  ) {}

  /**
   * Revokes the token of the form with its chain (RFC 7009 §2) and the job tokens that the chain
   * created. Throws 403 for a client that it was not issued to.
   */
  async revoke(request: Request, form: OAuthForm): Promise<void> {
    const arrivedAt = this.clock.now();
    const client = await this.clientOf(request, form);
    const raw = form.text('token');
    const token = raw === null ? null : await this.tokens.findPresented(raw);
    if (!this.isOwner(client, token)) throw notAuthorized();
    if (token === null || !isToBeRevoked(token, arrivedAt)) return;
    const { familyId, userId } = token;
    await this.revokeLocked(userId, (tx) =>
      this.tokens.revokeFamily(tx, familyId, this.clock.now()),
    );
  }

  /**
   * Revokes the chain of a refresh token that was reused after its rotation: two parties have it
   * (RFC 9700 §4.14.2). Records nothing if nothing was left to revoke.
   */
  async revokeReusedFamily(tokenId: number, reuse: Pick<Reuse, 'userId' | 'ip'>): Promise<void> {
    await this.revokeLocked(reuse.userId, async (tx) => {
      const family = await this.tokens.findFamily(tx, tokenId);
      const revoked =
        family === null ? [] : await this.tokens.revokeFamily(tx, family, this.clock.now());
      const about = { targetType: 'AccessToken', targetId: tokenId } as const;
      await this.record(tx, { action: 'oauth_refresh_token_reused', ...about, ...reuse }, revoked);
      return revoked;
    });
  }

  /** Revokes all tokens of a code that was presented again (RFC 6749 §4.1.2). */
  async revokeReusedGrant(grantId: number, reuse: Pick<Reuse, 'userId' | 'ip'>): Promise<void> {
    await this.revokeLocked(reuse.userId, async (tx) => {
      const revoked = await this.tokens.revokeOfGrant(tx, grantId, this.clock.now());
      const about = { targetType: 'OAuthAccessGrant', targetId: grantId } as const;
      await this.record(tx, { action: 'oauth_code_reused', ...about, ...reuse }, revoked);
      return revoked;
    });
  }

  /** Wrong credentials are the same 403 as none (API doc, POST /oauth/revoke). */
  private async clientOf(request: Request, form: OAuthForm): Promise<Client | null> {
    try {
      return await this.clients.find(request, form);
    } catch (error) {
      if (error instanceof OAuthError && error.code === 'invalid_client') {
        throw notAuthorized(error.isGuess);
      }
      throw error;
    }
  }

  /** A token that was issued without a client can be revoked by anyone who has it. */
  private isOwner(client: Client | null, token: FoundToken | null): boolean {
    if (client !== null) return token === null || token.applicationId === client.id;
    const isOpen = this.settings.values.ropc_without_client_credentials;
    return isOpen && token !== null && token.applicationId === null;
  }

  private async revokeLocked(
    userId: number | null,
    work: (tx: EntityManager) => Promise<RevokedToken[]>,
  ): Promise<void> {
    const revoked = await this.dataSource.transaction(async (tx) => {
      // Issuing a token for the user waits, so that none is missed.
      if (userId !== null) await this.tokens.lockOwner(tx, userId);
      return work(tx);
    });
    for (const { digest } of revoked) this.lookup.drop(digest);
  }

  /** Without the condition anyone with an old token could fill the audit log. */
  private async record(
    tx: EntityManager,
    reuse: Reuse,
    revoked: readonly RevokedToken[],
  ): Promise<void> {
    if (revoked.length === 0) return;
    const { ip, userId, ...entry } = reuse;
    const actor = { viewer: null, impersonator: null, ip };
    await this.audit.record(tx, actor, {
      ...entry,
      entity: { type: 'User', id: userId },
      details: { user_id: userId, revoked_ids: revoked.map(({ id }) => id) },
    });
  }
}

/**
 * Returns true for a refresh token even after its rotation (RFC 7009 §2.1), for an access token
 * when a refresh has replaced it while this request was under way: revoking wins.
 */
function isToBeRevoked({ isRefresh, revokedAt }: FoundToken, arrivedAt: Date): boolean {
  return isRefresh || revokedAt === null || revokedAt >= arrivedAt;
}

function notAuthorized(isGuess = false): OAuthError {
  const description = 'You are not authorized to revoke this token';
  return new OAuthError('unauthorized_client', { status: 403, description, isGuess });
}
