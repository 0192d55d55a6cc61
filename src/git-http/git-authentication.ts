import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { JOB_TOKEN_USER, JobTokenLookup } from '../auth/job-token-lookup.service.js';
import { assertUserMayAct } from '../auth/user-state.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import type { Credential } from '../core/access/viewer.js';
import { Clock } from '../core/clock.js';
import { basicCredentials } from '../core/http/basic-credentials.js';
import { requestAddress } from '../core/http/request-address.js';
import { TokenLookup } from '../tokens/token-lookup.service.js';
import { TokenUsage } from '../tokens/token-usage.service.js';
import { accessDenied, UnknownTokenRefusal } from './git-refusal.js';

/** Finds out who speaks Git: Basic authentication with a token as password (API doc, Git). */
@Injectable()
export class GitAuthentication {
  constructor(
    private readonly tokens: TokenLookup,
    private readonly jobTokens: JobTokenLookup,
    private readonly usage: TokenUsage,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The credential, or null without an Authorization header: Git first tries without.
   * Refuses with 401 what is no living token, with 403 a user who may not act. The user name says
   * nothing, except that job tokens have one of their own.
   */
  async authenticate(request: Request): Promise<Credential | null> {
    const authorization = request.get('Authorization');
    if (authorization === undefined) return null;
    const credential = await this.find(authorization);
    if (credential === null) throw accessDenied(UnknownTokenRefusal);
    if (!this.isAlive(credential)) throw accessDenied();
    assertUserMayAct(credential.user, this.config.baseUrl);
    this.usage.note(credential, requestAddress(request));
    return credential;
  }

  private async find(authorization: string): Promise<Credential | null> {
    const basic = basicCredentials(authorization);
    if (basic === null) return null;
    const { user, password } = basic;
    const credential = await this.tokens.find(password);
    if (credential?.kind !== 'job') return credential;
    return user === JOB_TOKEN_USER ? this.jobTokens.find(password) : null;
  }

  private isAlive({ expiresAt, revokedAt }: Credential): boolean {
    return revokedAt === null && (expiresAt === null || expiresAt > this.clock.now());
  }
}
