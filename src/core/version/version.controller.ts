import { Controller, Get, Inject } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Ability, Scopes } from '../access/access.decorator.js';
import { packageVersion } from './package-version.js';

interface MetadataJson {
  version: string;
  revision: string;
  kas: { enabled: boolean; externalUrl: null; externalK8sProxyUrl: null; version: null };
  enterprise: boolean;
}

/** What clients ask first to learn whom they talk to. */
@Controller()
@Scopes('read_user')
@Ability('signed_in')
export class VersionController {
  private readonly metadata: MetadataJson;

  constructor(@Inject(CONFIG) config: Config) {
    this.metadata = {
      version: config.reportedVersion ?? packageVersion(),
      revision: 'Unknown',
      kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
      enterprise: false,
    };
  }

  @Get(['version', 'metadata'])
  show(): MetadataJson {
    return this.metadata;
  }
}
