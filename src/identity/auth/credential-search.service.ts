import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Credential } from '../../core/access/viewer.js';
import { UnauthorizedError } from '../../core/errors.js';
import { TokenLookup } from '../tokens/token-lookup.service.js';
import { presentedJobToken, presentedTokens, type TokensResponse } from './credentials.js';
import { JobTokenLookup } from './job-token-lookup.service.js';

/** Finds the credential that a request presents, in the order of precedence of its places. */
@Injectable()
export class CredentialSearch {
  constructor(
    private readonly tokens: TokenLookup,
    private readonly jobTokens: JobTokenLookup,
  ) {}

  /**
   * null when none is presented. Throws 401 for an unknown one, also on public endpoints. Job
   * tokens are looked at only where the endpoint allows them, and there before all others.
   */
  async find(
    request: Request,
    { allowsJobToken }: { allowsJobToken: boolean },
  ): Promise<Credential | null> {
    const jobToken = allowsJobToken ? presentedJobToken(request) : null;
    if (jobToken !== null) return known(await this.jobTokens.find(jobToken));
    const presented = presentedTokens(request);
    if (presented.bearer === null && presented.personal === null) return null;
    return known(await this.among(presented));
  }

  /**
   * If both are present, the bearer value counts when it is an OAuth token, else the personal one.
   * Job tokens work only on endpoints that accept them.
   */
  private async among({ bearer, personal }: TokensResponse): Promise<Credential | null> {
    const credential = bearer === null ? null : await this.tokens.findAny(bearer);
    if (personal === null || credential?.kind === 'oauth') return unlessKind(credential, ['job']);
    return unlessKind(await this.tokens.findAny(personal), ['job', 'oauth']);
  }
}

function known(credential: Credential | null): Credential {
  if (credential === null) throw new UnauthorizedError();
  return credential;
}

function unlessKind(credential: Credential | null, kinds: readonly string[]): Credential | null {
  return credential === null || kinds.includes(credential.kind) ? null : credential;
}
