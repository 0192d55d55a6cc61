import { Controller, Get, Inject } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Ability, Scopes } from '../access/access.decorator.js';
import { packageVersion } from './package-version.js';

/** Agent server for clusters, which does not exist here. */
interface ClusterAgentServerResponse {
  enabled: boolean;
  externalUrl: string | null;
  externalK8sProxyUrl: string | null;
  version: string | null;
}

/** Version of the server. */
interface MetadataResponse {
  /**
   * Version that clients check for features; configurable by the instance.
   * @example "17.4.0"
   */
  version: string;
  /** @example "Unknown" */
  revision: string;
  kas: ClusterAgentServerResponse;
  enterprise: boolean;
}

/** Version of the server, which clients request first. */
@Controller()
@Scopes('read_user')
@Ability('signed_in')
export class VersionController {
  private readonly metadata: MetadataResponse;

  constructor(@Inject(CONFIG) config: Config) {
    this.metadata = {
      version: config.reportedVersion ?? packageVersion(),
      revision: 'Unknown',
      kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
      enterprise: false,
    };
  }

  /** Shows the version that the server reports. */
  @Get(['version', 'metadata'])
  show(): MetadataResponse {
    return this.metadata;
  }
}
