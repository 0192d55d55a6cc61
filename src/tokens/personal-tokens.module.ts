import { Module } from '@nestjs/common';
import { ImpersonationTokensController } from './impersonation-tokens.controller.js';
import { ImpersonationTokensService } from './impersonation-tokens.service.js';
import { OwnTokenController } from './own-token.controller.js';
import { PersonalTokensController } from './personal-tokens.controller.js';
import { TokensModule } from './tokens.module.js';
import { UserTokensController } from './user-tokens.controller.js';

/**
 * The endpoints of personal and impersonation tokens. `self` comes before the ids, because the
 * first controller that knows a path takes it.
 */
@Module({
  imports: [TokensModule],
  controllers: [
    OwnTokenController,
    PersonalTokensController,
    UserTokensController,
    ImpersonationTokensController,
  ],
  providers: [ImpersonationTokensService],
})
export class PersonalTokensModule {}
