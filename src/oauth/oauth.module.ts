import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { UserRepositoriesModule } from '../users/user-repositories.module.js';
import { RateLimitsModule } from '../core/rate-limits/rate-limits.module.js';
import { ApplicationsModule } from './applications/applications.module.js';
import { AuthorizeModule } from './authorize/authorize.module.js';
import { ClientAuthentication } from './client-authentication.service.js';
import { AuthorizationCodeGrant } from './grants/authorization-code.grant.js';
import { ClientCredentialsGrant } from './grants/client-credentials.grant.js';
import { PublicClientPolicy } from './grants/public-client-policy.service.js';
import { PasswordGrant } from './grants/password.grant.js';
import { RefreshGrace } from './grants/refresh-grace.service.js';
import { RefreshTokenGrant } from './grants/refresh-token.grant.js';
import { IntrospectionAccess } from './introspection-access.service.js';
import { IntrospectionController } from './introspection.controller.js';
import { ActiveTokens } from './active-tokens.service.js';
import { OpenIdModule } from './openid/openid.module.js';
import { RevocationController } from './revocation.controller.js';
import { TokenAnswers } from './token-answers.service.js';
import { TokenInfoController } from './token-info.controller.js';
import { TokenIssuer } from './token-issuer.service.js';
import { TokenRevocation } from './token-revocation.service.js';
import { TokenController } from './token.controller.js';

const GRANTS = [
  AuthorizationCodeGrant,
  ClientCredentialsGrant,
  PublicClientPolicy,
  PasswordGrant,
  RefreshGrace,
  RefreshTokenGrant,
];

/** The OAuth 2.0 and OpenID Connect provider. */
@Module({
  imports: [
    ApplicationsModule,
    AuthModule,
    AuthorizeModule,
    OpenIdModule,
    RateLimitsModule,
    UserRepositoriesModule,
  ],
  controllers: [
    IntrospectionController,
    RevocationController,
    TokenController,
    TokenInfoController,
  ],
  providers: [
    ...GRANTS,
    ClientAuthentication,
    IntrospectionAccess,
    ActiveTokens,
    TokenAnswers,
    TokenIssuer,
    TokenRevocation,
  ],
})
export class OAuthModule {}
