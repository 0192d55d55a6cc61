import { Injectable } from '@nestjs/common';
import { credentialDigest } from '../../core/digest.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { AccessTokensRepository } from './access-tokens.repository.js';
import { CredentialCache } from './credential-cache.service.js';
import type { Credential } from '../../core/access/viewer.js';

/** Finds who presents a raw token: one query, or none when the answer is cached. */
@Injectable()
export class TokenLookup {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly cache: CredentialCache,
    private readonly settings: InstanceSettings,
  ) {}

  /** false for an impersonation token while impersonation is turned off. */
  accepts({ kind }: Credential): boolean {
    return kind !== 'impersonation' || this.settings.values.impersonation_enabled;
  }

  /** The credential of any kind and state, or null for an unknown value. */
  findAny(raw: string): Promise<Credential | null> {
    const digest = credentialDigest(raw);
    return this.cache.find(digest, () => this.tokens.findCredential(digest));
  }
}
