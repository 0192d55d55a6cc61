import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Credential } from '../../core/access/auth-context.js';
import { type BasicCredentials, basicCredentials } from '../../core/secrets.js';
import { isJobTokenUser } from '../../identity/auth/credentials.js';
import { JobTokenLookup } from '../../identity/auth/job-token-lookup.service.js';
import { assertUserMayAct } from '../../identity/auth/user-state.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Clock } from '../../core/clock.js';
import { requestAddress } from '../../core/http/request-address.js';
import {
  BruteForceLimiter,
  type GuessLimit,
} from '../../core/rate-limits/brute-force-limiter.service.js';
import { TokenLookup } from '../../identity/tokens/token-lookup.service.js';
import { TokenUsage } from '../../identity/tokens/token-usage.service.js';
import { accessDenied, GitHttpError, UnknownTokenRefusal } from './git-http-error.js';

const THREE_MINUTES = 180;

/** Tokens guessed over Git; requests without credentials go on during a ban. */
const TOKEN_GUESSES: GuessLimit = {
  limit: ({ git_failed_authentications_per_3_minutes: requests }) =>
    requests === 0
      ? null
      : { name: 'git_failed_authentications', requests, seconds: THREE_MINUTES },
  // A job whose token has expired must not shut out everyone behind its address.
  isGuess: (error) => error instanceof UnknownTokenRefusal,
  refusal: ({ secondsLeft }) =>
    new GitHttpError(403, 'Too many failed sign-ins from your address. Try again later.', {
      'Retry-After': String(secondsLeft),
    }),
};

/** Finds out who speaks Git: Basic authentication with a token as password (API doc, Git). */
@Injectable()
export class GitAuthentication {
  constructor(
    private readonly bruteForce: BruteForceLimiter,
    private readonly tokens: TokenLookup,
    private readonly jobTokens: JobTokenLookup,
    private readonly usage: TokenUsage,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns the credential, or null without an Authorization header: Git first tries without.
   * Throws 401 for anything but an active token, 403 for an inactive user and for an address that
   * guesses. The username is ignored, except that job tokens have one of their own.
   */
  async authenticate(request: Request): Promise<Credential | null> {
    const authorization = request.get('Authorization');
    if (authorization === undefined) return null;
    return this.bruteForce.banGuessers(TOKEN_GUESSES, request.ip, async () => {
      const credential = await this.find(authorization);
      assertUserMayAct(credential.user, this.config.baseUrl);
      this.usage.note(credential, requestAddress(request));
      return credential;
    });
  }

  private async find(authorization: string): Promise<Credential> {
    const basic = basicCredentials(authorization);
    const known = basic === null ? null : await this.tokens.findAny(basic.password);
    if (basic === null || known === null) throw accessDenied(UnknownTokenRefusal);
    const credential = known.kind === 'job' ? await this.findJob(basic) : known;
    if (credential === null || !this.tokens.accepts(credential)) throw accessDenied();
    if (!this.isAlive(credential)) throw accessDenied();
    return credential;
  }

  private async findJob({ user, password }: BasicCredentials): Promise<Credential | null> {
    return isJobTokenUser(user) ? this.jobTokens.find(password) : null;
  }

  private isAlive({ expiresAt, revokedAt }: Credential): boolean {
    return revokedAt === null && (expiresAt === null || expiresAt > this.clock.now());
  }
}
