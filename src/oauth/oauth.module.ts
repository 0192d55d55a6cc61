import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { RateLimitsModule } from '../core/rate-limits/rate-limits.module.js';
import { OpenIdModule } from './openid/openid.module.js';

/** The OAuth 2.0 and OpenID Connect provider. */
@Module({
  imports: [AuthModule, OpenIdModule, RateLimitsModule],
  controllers: [],
  providers: [],
})
export class OAuthModule {}
