import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { SecretBox } from '../../core/settings/secret-box.js';
import { AlertIntegrationsRepository } from '../alert-integrations.repository.js';
import { integrationBox, isSameKey } from '../integration-keys.js';

/** Decides who may learn from a refused call that there is a project at its address. */
@Injectable()
export class ProjectDisclosure {
  private readonly box: SecretBox;

  constructor(
    private readonly integrations: AlertIntegrationsRepository,
    @Inject(CONFIG) config: Config,
  ) {
    this.box = integrationBox(config);
  }

  /**
   * True when everyone can see the project, or the key is that of any of its integrations. Read
   * anew each time: a project that was made private a moment ago is not told of.
   */
  async isTold(projectId: number, given: string | null): Promise<boolean> {
    const row = await this.integrations.findDisclosure(projectId);
    if (row === null || row.isPublic) return row !== null;
    return given !== null && this.isOneOf(row.sealedKeys, given);
  }

  /** Compares with all of them, so that the time does not tell which one is right. */
  private isOneOf(sealedKeys: string[], given: string): boolean {
    const right = sealedKeys.filter((sealed) => {
      const key = this.box.open(sealed);
      return key !== null && isSameKey(given, key);
    });
    return right.length > 0;
  }
}
