import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { TokensModule } from '../tokens/tokens.module.js';
import { AuthGuard } from './auth.guard.js';
import { Authenticator } from './authenticator.service.js';
import { RouteDeclarations } from './route-declarations.js';
import { SudoService } from './sudo.service.js';

/** Decides for every route who a request acts as. */
@Module({
  imports: [DiscoveryModule, TokensModule],
  providers: [
    Authenticator,
    SudoService,
    RouteDeclarations,
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
  exports: [TokensModule],
})
export class AuthModule {}
