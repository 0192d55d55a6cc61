import { Module } from '@nestjs/common';
import { AuthModule } from '../identity/auth/auth.module.js';
import { RateLimitsModule } from '../core/rate-limits/rate-limits.module.js';
import {
  AdminApplicationPagesController,
  AuthorizedApplicationPagesController,
  OwnApplicationPagesController,
} from './applications/pages/application-list-pages.controller.js';
import { SignedAuthorizationRequests } from './authorize/authorization-request.js';
import { ClaimsRepository } from './openid/claims.repository.js';
import { DiscoveryController, KeysController } from './openid/discovery.controller.js';
import { ApplicationsController } from './applications/applications.controller.js';
import { ApplicationsService } from './applications/applications.service.js';
import { AuthorizationFlow } from './authorize/authorization-flow.service.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import { Consent } from './authorize/consent.service.js';
import { ApplicationLookup, ClientAuthentication } from './client-authentication.service.js';
import { AuthorizationCodeGrant } from './grants/authorization-code.grant.js';
import { ClientCredentialsGrant } from './grants/client-credentials.grant.js';
import { PasswordGrant } from './grants/password.grant.js';
import { RefreshTokenGrant } from './grants/refresh-token.grant.js';
import { IntrospectionController } from './introspection.controller.js';
import { OAuthAccessGrantsRepository } from './oauth-access-grants.repository.js';
import { OAuthApplicationsRepository } from './oauth-applications.repository.js';
import { OAuthTokensRepository } from './oauth-tokens.repository.js';
import { IdTokens } from './openid/id-tokens.service.js';
import { OAuthSigningKeysRepository } from './openid/oauth-signing-keys.repository.js';
import { SigningKeyStore } from './openid/signing-key-store.service.js';
import { SigningKeys } from './openid/signing-keys.service.js';
import { UserinfoController } from './openid/userinfo.controller.js';
import { TokenIssuer } from './token-issuer.service.js';
import { TokenRevocation } from './token-revocation.service.js';
import { RevocationController, TokenController, TokenInfoController } from './token.controller.js';

/** Applications and their authorizations. */
const APPLICATIONS = [ApplicationLookup, ApplicationsService];

/** The authorization endpoint (RFC 6749 §3.1). */
const AUTHORIZATION = [AuthorizationFlow, Consent, SignedAuthorizationRequests];

const GRANTS = [AuthorizationCodeGrant, ClientCredentialsGrant, PasswordGrant, RefreshTokenGrant];

/** ID tokens and claims (OpenID Connect). */
const OPENID = [ClaimsRepository, IdTokens, SigningKeyStore, SigningKeys];

const REPOSITORIES = [
  OAuthAccessGrantsRepository,
  OAuthApplicationsRepository,
  OAuthSigningKeysRepository,
  OAuthTokensRepository,
];

const TOKENS = [ClientAuthentication, TokenIssuer, TokenRevocation];

/** The OAuth 2.0 and OpenID Connect provider. */
@Module({
  imports: [AuthModule, RateLimitsModule],
  controllers: [
    AdminApplicationPagesController,
    ApplicationsController,
    AuthorizedApplicationPagesController,
    OwnApplicationPagesController,
    AuthorizeController,
    DiscoveryController,
    KeysController,
    UserinfoController,
    IntrospectionController,
    RevocationController,
    TokenController,
    TokenInfoController,
  ],
  providers: [...APPLICATIONS, ...AUTHORIZATION, ...GRANTS, ...OPENID, ...REPOSITORIES, ...TOKENS],
})
export class OAuthModule {}
