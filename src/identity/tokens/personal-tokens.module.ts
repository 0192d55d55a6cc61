import { Module } from '@nestjs/common';
import { ImpersonationTokensController } from './impersonation-tokens.controller.js';
import { ImpersonationTokensService } from './impersonation-tokens.service.js';
import { OwnTokenController } from './own-token.controller.js';
import { OwnTokensController } from './pages/own-tokens.controller.js';
import { OwnTokens } from './pages/own-tokens.service.js';
import { PersonalTokensController } from './personal-tokens.controller.js';
import { TokensModule } from './tokens.module.js';
import { UserTokensController } from './user-tokens.controller.js';

/**
 * Endpoints and pages of personal and impersonation tokens. `self` comes before the IDs, because
 * the first controller that matches a path handles it.
 */
@Module({
  imports: [TokensModule],
  controllers: [
    OwnTokenController,
    OwnTokensController,
    PersonalTokensController,
    UserTokensController,
    ImpersonationTokensController,
  ],
  providers: [ImpersonationTokensService, OwnTokens],
})
export class PersonalTokensModule {}
