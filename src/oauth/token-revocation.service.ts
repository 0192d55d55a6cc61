import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../core/clock.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import type { Client } from './oauth-applications.repository.js';
import { ClientAuthentication } from './client-authentication.service.js';
import { OAuthError } from './oauth-errors.js';
import type { OAuthForm } from './oauth-form.js';
import { OAuthTokensRepository, type FoundToken } from './oauth-tokens.repository.js';
import { TokenEndings } from './token-endings.service.js';

/** Ends tokens for the clients that they were issued to (RFC 7009 §2). */
@Injectable()
export class TokenRevocation {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly tokens: OAuthTokensRepository,
    private readonly endings: TokenEndings,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
  ) {}

  /** Ends the token of the form. Throws 403 for a client that it was not issued to. */
  async revoke(request: Request, form: OAuthForm): Promise<void> {
    const arrivedAt = this.clock.now();
    const client = await this.clientOf(request, form);
    const raw = form.text('token');
    const token = raw === null ? null : await this.tokens.findPresented(raw);
    if (!this.isOwner(client, token)) throw notAuthorized();
    if (token === null || !isToBeEnded(token, arrivedAt)) return;
    await this.endings.endFamily(token);
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

  /** What was issued to nobody in particular may be ended by anybody who has it. */
  private isOwner(client: Client | null, token: FoundToken | null): boolean {
    if (client !== null) return token === null || token.applicationId === client.id;
    const isOpen = this.settings.values.ropc_without_client_credentials;
    return isOpen && token !== null && token.applicationId === null;
  }
}

/**
 * A refresh token ends its chain even when it was replaced already (RFC 7009 §2.1), an access token
 * when a refresh has replaced it while this request was under way: revoking wins.
 */
function isToBeEnded({ isRefresh, revokedAt }: FoundToken, arrivedAt: Date): boolean {
  return isRefresh || revokedAt === null || revokedAt >= arrivedAt;
}

function notAuthorized(isGuess = false): OAuthError {
  const description = 'You are not authorized to revoke this token';
  return new OAuthError('unauthorized_client', { status: 403, description, isGuess });
}
