import { Injectable } from '@nestjs/common';
import { ADMIN_SCOPES, APPLICATION_SCOPES } from '../../core/access/scopes.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { requestAddress } from '../../core/http/request-address.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { type Identified, PasswordSignIn } from '../../identity/auth/password-sign-in.service.js';
import { obstacleOf, SignInRefusedError } from '../../identity/auth/user-state.js';
import { ClientAuthentication, type OAuthForm } from '../client-authentication.service.js';
import type { Client } from '../oauth-applications.repository.js';
import { invalidScope, missingParameter } from '../oauth-errors.js';
import { adminScopeRefusal, requestedScopes, scopeRefusal, scopesIn } from '../oauth-scopes.js';
import { TokenIssuer, type OAuthTokenResponse } from '../token-issuer.service.js';
import { assertAll, invalidGrant, type Check, type Grant, type TokenRequest } from './grant.js';

const OF_FORM: readonly Check<OAuthForm>[] = [
  [(form) => form.text('username') !== null, () => missingParameter('username')],
  [(form) => form.text('password') !== null, () => missingParameter('password')],
];

/** RFC 6749 §4.3: the user's own password, for clients that the user trusts with it. */
@Injectable()
export class PasswordGrant implements Grant {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly signIn: PasswordSignIn,
    private readonly issuer: TokenIssuer,
    private readonly settings: InstanceSettings,
  ) {}

  async answer({ request, form }: TokenRequest): Promise<HttpResponse<OAuthTokenResponse>> {
    assertAll(OF_FORM, form);
    const client = await this.clients.findOrUnregistered(request, form);
    const allowed = client?.scopes ?? APPLICATION_SCOPES;
    const text = form.text('scope') ?? undefined;
    const scopes = requestedScopes(text, allowed);
    if (scopes === null) throw invalidScope(scopeRefusal(scopesIn(text), allowed));
    const { viewer, passwordDigest } = await this.identify(form, client, requestAddress(request));
    // A request for administrator scopes is no password guess.
    const isGrantable = viewer.admin || !scopes.some((scope) => ADMIN_SCOPES.includes(scope));
    if (!isGrantable) throw invalidScope(adminScopeRefusal(scopes));
    const userId = viewer.id;
    const issued = await this.issuer.mintForUser({ userId, passwordDigest, client, scopes });
    if (issued === null) throw invalidGrant('the user has just been changed')({ client });
    return this.issuer.respond({ userId, issued, authTime: null }, client);
  }

  /** Wrong, unknown, locked and blocked look the same (API doc, POST /oauth/token). */
  private async identify(
    form: OAuthForm,
    client: Client | null,
    ip: string | null,
  ): Promise<Identified> {
    const [login, password] = [String(form.text('username')), String(form.text('password'))];
    try {
      const identified = await this.signIn.identify(login, password, ip);
      const obstacle = obstacleOf(identified.viewer, this.settings.values);
      if (obstacle !== null) throw new SignInRefusedError(obstacle);
      return identified;
    } catch (error) {
      if (!(error instanceof SignInRefusedError)) throw error;
      throw invalidGrant(`the user cannot sign in (${error.obstacle})`)({ client });
    }
  }
}
