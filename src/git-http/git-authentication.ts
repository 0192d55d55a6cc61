import { Inject, Injectable } from '@nestjs/common';
import { assertUserMayAct } from '../auth/user-state.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import type { Credential } from '../core/access/viewer.js';
import { Clock } from '../core/clock.js';
import { TokenLookup } from '../tokens/token-lookup.service.js';
import { TokenUsage } from '../tokens/token-usage.service.js';
import { accessDenied } from './git-refusal.js';

/** Finds out who speaks Git: Basic authentication with a token as password (API doc, Git). */
@Injectable()
export class GitAuthentication {
  constructor(
    private readonly tokens: TokenLookup,
    private readonly usage: TokenUsage,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The credential, or null without an Authorization header: Git first tries without.
   * Refuses with 401 what is no living token, with 403 a user who may not act. Job tokens open
   * nothing yet: no route has opted in (API doc, Job tokens).
   * The user name says nothing: `oauth2` and any other are the same.
   */
  async authenticate(authorization: string | undefined): Promise<Credential | null> {
    if (authorization === undefined) return null;
    const token = basicPassword(authorization);
    const credential = token === null ? null : await this.tokens.find(token);
    if (credential === null || !this.isAlive(credential)) throw accessDenied();
    assertUserMayAct(credential.user, this.config.baseUrl);
    this.usage.note(credential);
    return credential;
  }

  private isAlive({ kind, expiresAt, revokedAt }: Credential): boolean {
    if (kind === 'job') return false;
    return revokedAt === null && (expiresAt === null || expiresAt > this.clock.now());
  }
}

/** The password of a Basic header; null when the header is of another kind or the password blank. */
export function basicPassword(authorization: string): string | null {
  const [, encoded] = /^basic +([a-z0-9+/=]+) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon === -1 || colon === pair.length - 1 ? null : pair.slice(colon + 1);
}
