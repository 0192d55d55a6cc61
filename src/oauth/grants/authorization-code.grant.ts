import { Injectable } from '@nestjs/common';
import type { HttpResponse } from '../../core/http/http-response.js';
import { requestAddress } from '../../core/http/request-address.js';
import type { Client } from '../oauth-applications.repository.js';
import { ClientAuthentication, type OAuthForm } from '../client-authentication.service.js';
import { missingParameter } from '../oauth-errors.js';
import { TokenRevocation } from '../token-revocation.service.js';
import type { CodeExchange } from '../sql/issue-tokens.js';
import { type OAuthTokenResponse, TokenIssuer } from '../token-issuer.service.js';
import {
  assertAll,
  invalidGrant,
  sentChallenge,
  unknownGrant,
  type Check,
  type Grant,
  type TokenRequest,
} from './grant.js';

interface Outcome extends CodeExchange {
  client: Client;
  hasVerifier: boolean;
}

const OF_FORM: readonly Check<OAuthForm>[] = [
  [(form) => form.text('code') !== null, () => missingParameter('code')],
  [(form) => form.text('redirect_uri') !== null, () => missingParameter('redirect_uri')],
];

const OF_OUTCOME: readonly Check<Outcome>[] = [
  [({ grantId }) => grantId !== null, () => unknownGrant('the code is unknown')],
  [({ isOwn }) => isOwn, invalidGrant('the code was issued to another client')],
  [({ isUsed }) => !isUsed, invalidGrant('the code was used before')],
  [({ isRevoked }) => !isRevoked, invalidGrant('the code is revoked')],
  [({ isExpired }) => !isExpired, invalidGrant('the code is expired')],
  [({ isRedirectSame }) => isRedirectSame, invalidGrant('the redirect_uri is another')],
  [
    ({ hasChallenge, client }) => hasChallenge || client.confidential,
    invalidGrant('the code has no code_challenge, which a public client needs'),
  ],
  [
    ({ hasChallenge, hasVerifier }) => hasVerifier || !hasChallenge,
    () => missingParameter('code_verifier'),
  ],
  [({ mayAct }) => mayAct, invalidGrant('the user may not act')],
  [({ isProven }) => isProven, invalidGrant('the code_verifier does not fit')],
  [({ issued }) => issued !== null, invalidGrant('the code was used at the same time')],
];

/** RFC 6749 §4.1.3 with RFC 7636 §4.6: a code that a person's approval has brought. */
@Injectable()
export class AuthorizationCodeGrant implements Grant {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly issuer: TokenIssuer,
    private readonly revocation: TokenRevocation,
  ) {}

  async answer({ request, form }: TokenRequest): Promise<HttpResponse<OAuthTokenResponse>> {
    assertAll(OF_FORM, form);
    const challenge = sentChallenge(form);
    const client = await this.clients.require(request, form);
    const exchange = await this.issuer.exchange({
      code: String(form.text('code')),
      applicationId: client.id,
      redirectUri: String(form.text('redirect_uri')),
      challenge,
      needsProof: !client.confidential,
    });
    const outcome = { ...exchange, client, hasVerifier: challenge !== null };
    if (isReuse(outcome)) await this.revokeReused(outcome, requestAddress(request));
    assertAll(OF_OUTCOME, outcome);
    return this.issuer.respond(exchange, client);
  }

  private async revokeReused({ grantId, userId }: Outcome, ip: string | null): Promise<void> {
    if (grantId !== null) await this.revocation.revokeReusedGrant(grantId, { userId, ip });
  }
}

/**
 * Returns true if the client has used the code before, or is using it concurrently: the code is
 * valid otherwise.
 */
function isReuse(outcome: Outcome): boolean {
  if (!outcome.isOwn || outcome.issued !== null) return false;
  return outcome.isUsed || OF_OUTCOME.slice(0, -1).every(([holds]) => holds(outcome));
}
