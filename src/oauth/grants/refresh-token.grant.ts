import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { requestAddress } from '../../core/http/request-address.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { ClientAuthentication, type OAuthForm } from '../client-authentication.service.js';
import type { Client } from '../oauth-applications.repository.js';
import { invalidScope, missingParameter, OAuthError } from '../oauth-errors.js';
import { scopeRefusal, scopesIn } from '../oauth-scopes.js';
import type { Refresh } from '../sql/issue-tokens.js';
import { type OAuthTokenResponse, TokenIssuer } from '../token-issuer.service.js';
import { TokenRevocation } from '../token-revocation.service.js';
import {
  assertAll,
  invalidGrant,
  sentChallenge,
  unknownGrant,
  type Check,
  type Grant,
  type TokenRequest,
} from './grant.js';

interface Outcome extends Refresh {
  client: Client | null;
}

const OF_FORM: readonly Check<OAuthForm>[] = [
  [(form) => form.text('refresh_token') !== null, () => missingParameter('refresh_token')],
];

const OF_OUTCOME: readonly Check<Outcome>[] = [
  [({ tokenId }) => tokenId !== null, () => unknownGrant('the refresh token is unknown')],
  [
    ({ client, hasApplication }) => client !== null || !hasApplication,
    () => new OAuthError('invalid_client'),
  ],
  [({ isOwn }) => isOwn, invalidGrant('the refresh token was issued to another client')],
  [({ revokedAt }) => revokedAt === null, invalidGrant('the refresh token is revoked')],
  [({ isExpired }) => !isExpired, invalidGrant('the refresh token is expired')],
  [({ isRedirectSame }) => isRedirectSame, invalidGrant('the redirect_uri is another')],
  [({ isProven }) => isProven, invalidGrant('the code_verifier does not match')],
  [
    ({ isScopeWithin }) => isScopeWithin,
    ({ scopes, grantedScopes }) =>
      invalidScope(scopeRefusal(scopes, grantedScopes, 'not granted to this token')),
  ],
  [({ mayAct }) => mayAct, invalidGrant('the user may not act')],
  [
    ({ issued }) => issued !== null,
    invalidGrant('the refresh token was used concurrently or lost all of its scopes'),
  ],
];

/**
 * RFC 6749 §6 with rotation (RFC 9700 §4.14.2): the old pair is invalid immediately. The reuse of
 * an old refresh token counts as theft, unless it is within the grace period for a client's own
 * parallel refreshes (setting `oauth_refresh_grace_seconds`). A code_verifier is optional, but must
 * match the authorization request.
 */
@Injectable()
export class RefreshTokenGrant implements Grant {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly issuer: TokenIssuer,
    private readonly revocation: TokenRevocation,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
  ) {}

  async answer({ request, form }: TokenRequest): Promise<HttpResponse<OAuthTokenResponse>> {
    assertAll(OF_FORM, form);
    const challenge = sentChallenge(form);
    const client = await this.clients.findOrUnregistered(request, form);
    const refresh = await this.issuer.refresh({
      refreshToken: String(form.text('refresh_token')),
      applicationId: client?.id ?? null,
      scopes: form.text('scope') === null ? null : scopesIn(form.text('scope')),
      redirectUri: form.text('redirect_uri'),
      challenge,
    });
    if (refresh.tokenId !== null && this.isTheft(refresh)) {
      const { tokenId, userId } = refresh;
      await this.revocation.revokeReusedFamily(tokenId, { userId, ip: requestAddress(request) });
    }
    assertAll(OF_OUTCOME, { ...refresh, client });
    return this.issuer.respond(refresh, client);
  }

  /** Returns true if the replaced refresh token was shown after the grace period. */
  private isTheft({ isOwn, revokedAt }: Refresh): boolean {
    if (!isOwn || revokedAt === null) return false;
    const graceMs = this.settings.values.oauth_refresh_grace_seconds * 1_000;
    return this.clock.now().getTime() - revokedAt.getTime() > graceMs;
  }
}
