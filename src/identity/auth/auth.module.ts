import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { RateLimitsModule } from '../../core/rate-limits/rate-limits.module.js';
import { MembersModule } from '../members/members.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { AccountsRepository } from './accounts.repository.js';
import { ApiLimits } from './api-limits.service.js';
import { AuthGuard } from './auth.guard.js';
import { Authenticator } from './authenticator.service.js';
import { CredentialSearch } from './credential-search.service.js';
import { JobTokenLookup } from './job-token-lookup.service.js';
import { PageGuard } from './page.guard.js';
import { AccountLocks } from './passwords/account-locks.service.js';
import { PasswordSignIn } from './passwords/password-sign-in.service.js';
import { RouteDeclarations } from './route-declarations.js';
import { BrowserSessions } from './sessions/browser-sessions.service.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { Sessions } from './sessions/sessions.service.js';
import { SudoService } from './sudo.service.js';
import { TokenState } from './token-state.service.js';

/** Decides for every route who a request acts as. */
@Module({
  imports: [DiscoveryModule, MembersModule, RateLimitsModule, TokensModule],
  providers: [
    AccountLocks,
    AccountsRepository,
    ApiLimits,
    Authenticator,
    BrowserSessions,
    CredentialSearch,
    JobTokenLookup,
    PageGuard,
    PasswordSignIn,
    SudoService,
    RouteDeclarations,
    Sessions,
    SessionsRepository,
    TokenState,
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
