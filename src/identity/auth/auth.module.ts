import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { RateLimitsModule } from '../../core/rate-limits/rate-limits.module.js';
import { MembersModule } from '../members/members.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { AccountsRepository } from './accounts.repository.js';
import { ApiLimits } from './api-limits.service.js';
import { AuthGuard, RouteDeclarations } from './auth.guard.js';
import { Authenticator } from './authenticator.service.js';
import { JobTokenLookup } from './job-token-lookup.service.js';
import { PageGuard } from './page.guard.js';
import { PasswordSignIn } from './password-sign-in.service.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { BrowserSessions, Sessions } from './sessions/sessions.service.js';

/** Decides for every route who a request acts as. */
@Module({
  imports: [DiscoveryModule, MembersModule, RateLimitsModule, TokensModule],
  providers: [
    AccountsRepository,
    ApiLimits,
    Authenticator,
    BrowserSessions,
    JobTokenLookup,
    PageGuard,
    PasswordSignIn,
    RouteDeclarations,
    Sessions,
    SessionsRepository,
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
  exports: [
    AccountsRepository,
    ApiLimits,
    BrowserSessions,
    JobTokenLookup,
    PasswordSignIn,
    Sessions,
    SessionsRepository,
    TokensModule,
  ],
})
export class AuthModule {}
