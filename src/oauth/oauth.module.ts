import { Module } from '@nestjs/common';
import { AuthModule } from '../identity/auth/auth.module.js';
import { RateLimitsModule } from '../core/rate-limits/rate-limits.module.js';
import { UserRepositoriesModule } from '../identity/users/user-repositories.module.js';
import { ActiveTokens } from './active-tokens.service.js';
import { ApplicationLookup } from './application-lookup.service.js';
import { ApplicationsController } from './applications/applications.controller.js';
import { ApplicationsService } from './applications/applications.service.js';
import { AuthorizedApplications } from './applications/authorized-applications.service.js';
import { AdminApplicationsController } from './applications/pages/admin-applications.controller.js';
import { ApplicationPages } from './applications/pages/application-pages.service.js';
import { AuthorizedApplicationsController } from './applications/pages/authorized-applications.controller.js';
import { OwnApplicationsController } from './applications/pages/own-applications.controller.js';
import { AuthorizationAnswers } from './authorize/authorization-answers.service.js';
import { AuthorizationFlow } from './authorize/authorization-flow.service.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import { Consent } from './authorize/consent.service.js';
import { LoginRedirect } from './authorize/login-redirect.service.js';
import { SignedAuthorizationRequests } from './authorize/signed-authorization-requests.service.js';
import { ClientAuthentication } from './client-authentication.service.js';
import { AuthorizationCodeGrant } from './grants/authorization-code.grant.js';
import { ClientCredentialsGrant } from './grants/client-credentials.grant.js';
import { PasswordGrant } from './grants/password.grant.js';
import { RefreshTokenGrant } from './grants/refresh-token.grant.js';
import { IntrospectionAccess } from './introspection-access.service.js';
import { IntrospectionController } from './introspection.controller.js';
import { OAuthAccessGrantsRepository } from './oauth-access-grants.repository.js';
import { OAuthApplicationsRepository } from './oauth-applications.repository.js';
import { OAuthTokensRepository } from './oauth-tokens.repository.js';
import { ClaimsRepository } from './openid/claims.repository.js';
import { DiscoveryController } from './openid/discovery.controller.js';
import { IdTokens } from './openid/id-tokens.service.js';
import { KeysController } from './openid/keys.controller.js';
import { SigningKeysModule } from './openid/signing-keys.module.js';
import { SigningKeys } from './openid/signing-keys.service.js';
import { UserinfoAccess } from './openid/userinfo-access.service.js';
import { UserinfoController } from './openid/userinfo.controller.js';
import { WebfingerController } from './openid/webfinger.controller.js';
import { RevocationController } from './revocation.controller.js';
import { TokenInfoController } from './token-info.controller.js';
import { TokenIssuer } from './token-issuer.service.js';
import { TokenResponses } from './token-responses.service.js';
import { TokenRevocation } from './token-revocation.service.js';
import { TokenController } from './token.controller.js';

/** Registering applications, and revoking what users let them do. */
const APPLICATIONS = [
  ApplicationLookup,
  ApplicationPages,
  ApplicationsService,
  AuthorizedApplications,
];

/** The authorization endpoint (RFC 6749 §3.1). */
const AUTHORIZATION = [
  AuthorizationAnswers,
  AuthorizationFlow,
  Consent,
  LoginRedirect,
  SignedAuthorizationRequests,
];

const GRANTS = [AuthorizationCodeGrant, ClientCredentialsGrant, PasswordGrant, RefreshTokenGrant];

/** ID tokens and claims (OpenID Connect). */
const OPENID = [ClaimsRepository, IdTokens, SigningKeys, UserinfoAccess];

const REPOSITORIES = [
  OAuthAccessGrantsRepository,
  OAuthApplicationsRepository,
  OAuthTokensRepository,
];

const TOKENS = [
  ActiveTokens,
  ClientAuthentication,
  IntrospectionAccess,
  TokenIssuer,
  TokenResponses,
  TokenRevocation,
];

/** The OAuth 2.0 and OpenID Connect provider. */
@Module({
  imports: [AuthModule, RateLimitsModule, SigningKeysModule, UserRepositoriesModule],
  controllers: [
    AdminApplicationsController,
    ApplicationsController,
    AuthorizedApplicationsController,
    OwnApplicationsController,
    AuthorizeController,
    DiscoveryController,
    KeysController,
    UserinfoController,
    WebfingerController,
    IntrospectionController,
    RevocationController,
    TokenController,
    TokenInfoController,
  ],
  providers: [...APPLICATIONS, ...AUTHORIZATION, ...GRANTS, ...OPENID, ...REPOSITORIES, ...TOKENS],
})
export class OAuthModule {}
