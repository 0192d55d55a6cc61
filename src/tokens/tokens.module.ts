import { Module } from '@nestjs/common';
import { CredentialCache } from './credential-cache.service.js';
import { TokenCreationService } from './token-creation.service.js';
import { TokenLookup } from './token-lookup.service.js';
import { TokenUsage } from './token-usage.service.js';

/** Bearer credentials: minting them, finding who presents one, noting their use. */
@Module({
  providers: [CredentialCache, TokenCreationService, TokenLookup, TokenUsage],
  exports: [TokenCreationService, TokenLookup, TokenUsage],
})
export class TokensModule {}
