import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { ClaimsRepository } from './claims.repository.js';
import { DiscoveryController } from './discovery.controller.js';
import { IdTokens } from './id-tokens.service.js';
import { KeysController } from './keys.controller.js';
import { SigningKeysModule } from './signing-keys.module.js';
import { SigningKeys } from './signing-keys.service.js';
import { UserinfoAccess } from './userinfo-access.service.js';
import { UserinfoController } from './userinfo.controller.js';
import { WebfingerController } from './webfinger.controller.js';

/** OpenID Connect: ID tokens, claims and discovery. */
@Module({
  imports: [AuthModule, SigningKeysModule],
  controllers: [DiscoveryController, KeysController, UserinfoController, WebfingerController],
  providers: [ClaimsRepository, IdTokens, SigningKeys, UserinfoAccess],
  exports: [IdTokens],
})
export class OpenIdModule {}
