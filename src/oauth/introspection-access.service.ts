import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ClientAuthentication } from './client-authentication.service.js';
import { OAuthError } from './oauth-errors.js';
import type { OAuthForm } from './oauth-form.js';
import { OAuthTokensRepository } from './oauth-tokens.repository.js';

const NOBODY =
  'Request need to be authorized. Required parameter for authorizing request is missing or invalid.';

/** Authenticates the client of an introspection (RFC 7662 §2.1). */
@Injectable()
export class IntrospectionAccess {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly tokens: OAuthTokensRepository,
  ) {}

  /**
   * The asking application's id: by its credentials, or by an access token of its own that is not
   * the one in question. Throws `invalid_request`, `invalid_client` or `invalid_token`.
   */
  async applicationOf(request: Request, form: OAuthForm): Promise<number> {
    const client = await this.clients.find(request, form);
    if (client !== null) return client.id;
    const [, bearer] = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    if (bearer === undefined) throw new OAuthError('invalid_request', { description: NOBODY });
    const token = await this.tokens.findActive(bearer);
    if (token === null || token.isRefresh || token.applicationId === null) {
      throw new OAuthError('invalid_token', { isGuess: token === null });
    }
    // It would only reveal to its holder that it is active (RFC 7662 §4).
    if (form.text('token') === bearer) throw new OAuthError('invalid_token');
    return token.applicationId;
  }
}
