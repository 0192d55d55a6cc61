import { Module } from '@nestjs/common';
import { CredentialCache } from './credential-cache.service.js';
import { TokenCreationService } from './token-creation.service.js';
import { TokenLookup } from './token-lookup.service.js';

/** Bearer credentials: minting them and finding who presents one. */
@Module({
  providers: [CredentialCache, TokenCreationService, TokenLookup],
  exports: [TokenCreationService, TokenLookup],
})
export class TokensModule {}
