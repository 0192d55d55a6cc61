import { Module } from '@nestjs/common';
import { UserRepositoriesModule } from '../users/user-repositories.module.js';
import { AccessTokensRepository } from './access-tokens.repository.js';
import { CredentialCache } from './credential-cache.service.js';
import { TokenCreationService } from './token-creation.service.js';
import { TokenExpiry } from './token-expiry.service.js';
import { TokenLookup } from './token-lookup.service.js';
import { TokenRevocationService } from './token-revocation.service.js';
import { TokenRotationService } from './token-rotation.service.js';
import { TokenUsage } from './token-usage.service.js';

const SERVICES = [
  AccessTokensRepository,
  CredentialCache,
  TokenCreationService,
  TokenExpiry,
  TokenLookup,
  TokenRevocationService,
  TokenRotationService,
  TokenUsage,
];

/** Bearer credentials: minting and rotating them, finding who presents one, recording their use. */
@Module({
  imports: [UserRepositoriesModule],
  providers: SERVICES,
  exports: [...SERVICES, UserRepositoriesModule],
})
export class TokensModule {}
