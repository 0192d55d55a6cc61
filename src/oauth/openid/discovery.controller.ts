import { Controller, Get, Header, Inject } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { NoAuthentication } from '../../core/access/access.decorator.js';
import { atRoot } from '../../core/http/root-path.js';
import { describeProvider, type ProviderDescription } from './provider-description.js';

/** Where clients find everything else. */
@Controller(atRoot('.well-known'))
@NoAuthentication()
export class DiscoveryController {
  private readonly description: ProviderDescription;

  constructor(@Inject(CONFIG) config: Config) {
    this.description = describeProvider(config.baseUrl);
  }

  /** OpenID Connect metadata of the provider. */
  @Get('openid-configuration')
  @Header('Cache-Control', 'public, max-age=3600')
  openId(): ProviderDescription {
    return this.description;
  }

  /** OAuth metadata of the provider; same as the OpenID Connect one. */
  @Get('oauth-authorization-server')
  @Header('Cache-Control', 'public, max-age=3600')
  oauth(): ProviderDescription {
    return this.description;
  }
}
