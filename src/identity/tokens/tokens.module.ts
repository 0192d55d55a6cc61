import { Module } from '@nestjs/common';
import { UserRepositoriesModule } from '../users/user-repositories.module.js';
import { AccessTokensRepository } from './access-tokens.repository.js';
import { FeedTokens } from './feed-tokens.service.js';
import { FeedTokensRepository } from './feed-tokens.repository.js';
import { TokenCreationService } from './token-creation.service.js';
import { TokenExpiry } from './token-expiry.service.js';
import { TokenLookup } from './token-lookup.service.js';
import { TokenRevocationService } from './token-revocation.service.js';
import { TokenUsage } from './token-usage.service.js';
import { ImpersonationTokensController } from './impersonation-tokens.controller.js';
import { FeedTokenPagesController } from './pages/feed-token-pages.controller.js';
import { ImpersonationTokensService } from './impersonation-tokens.service.js';
import { ImpersonationTokenPagesController } from './pages/impersonation-token-pages.controller.js';
import { PersonalTokenPagesController } from './pages/personal-token-pages.controller.js';
import { PersonalTokensController } from './personal-tokens.controller.js';

const SERVICES = [
  AccessTokensRepository,
  FeedTokens,
  FeedTokensRepository,
  TokenCreationService,
  TokenExpiry,
  TokenLookup,
  TokenRevocationService,
  TokenUsage,
];

/** Bearer credentials of all kinds, feed tokens, and the endpoints and pages of personal and impersonation tokens. */
@Module({
  imports: [UserRepositoriesModule],
  controllers: [
    FeedTokenPagesController,
    ImpersonationTokensController,
    ImpersonationTokenPagesController,
    PersonalTokenPagesController,
    PersonalTokensController,
  ],
  providers: [...SERVICES, ImpersonationTokensService],
  exports: [...SERVICES, UserRepositoriesModule],
})
export class TokensModule {}
