import { Injectable } from '@nestjs/common';
import type { HttpResponse } from '../../core/http/http-response.js';
import { ClientAuthentication } from '../client-authentication.service.js';
import type { Client } from '../oauth-applications.repository.js';
import { invalidScope, OAuthError } from '../oauth-errors.js';
import { requestedScopes, scopeRefusal, scopesIn } from '../oauth-scopes.js';
import { TokenIssuer, tokenResponse, type OAuthTokenResponse } from '../token-issuer.service.js';
import { assertAll, type Check, type Grant, type TokenRequest } from './grant.js';

/** An application without a secret cannot prove that it is itself (RFC 6749 §4.4). */
const OF_CLIENT: readonly Check<Client>[] = [
  [({ confidential }) => confidential, () => new OAuthError('invalid_client')],
];

/** RFC 6749 §4.4: the application itself. It is no user, so the API rejects its token. */
@Injectable()
export class ClientCredentialsGrant implements Grant {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly issuer: TokenIssuer,
  ) {}

  async answer({ request, form }: TokenRequest): Promise<HttpResponse<OAuthTokenResponse>> {
    const client = await this.clients.require(request, form);
    assertAll(OF_CLIENT, client);
    const text = form.text('scope') ?? undefined;
    const scopes = requestedScopes(text, client.scopes);
    if (scopes === null) throw invalidScope(scopeRefusal(scopesIn(text), client.scopes));
    return tokenResponse(await this.issuer.mintForClient(client, scopes));
  }
}
