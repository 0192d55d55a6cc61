import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AuthContext } from '../../core/access/auth-context.js';
import { ApiError, UnauthorizedError } from '../../core/errors.js';
import { clientAddress } from '../../core/http/request-address.js';
import {
  EndpointLimitError,
  ThrottledError,
  isOver,
  showTally,
  type Limit,
  type Tally,
} from '../../core/rate-limits/tally.js';
import {
  countedAs,
  NAMED_LIMITS,
  type Measure,
  type NamedLimit,
  type Sender,
  throttle,
} from '../../core/rate-limits/named-limits.js';
import { RateLimiter } from '../../core/rate-limits/rate-limiter.service.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';

/** A request with the answer that it will get. */
export interface Exchange {
  request: Request;
  response: Response;
}

/**
 * Limits API requests: by user for authenticated ones, by address for all others and for failed
 * authentication. Throws 429 and adds rate limit headers to every counted response.
 */
@Injectable()
export class ApiLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: InstanceSettings,
  ) {}

  /** false = RATE_LIMITS is off. */
  get enabled(): boolean {
    return this.limiter.enabled;
  }

  /** Throws 429 for an IP address that guesses tokens, before another token is looked up. */
  refuseGuessing(request: Request): void {
    const limit = this.guessing();
    if (limit === null) return;
    const tally = this.limiter.exceededBy(limit, addressOf(request));
    if (tally !== null) throw new ThrottledError(tally);
  }

  /**
   * Counts a refused authentication under the client's address; 429 takes the place of the
   * refusal once there were too many. Only unknown tokens are guesses: a client whose token has
   * expired must not shut out everyone behind the same address.
   */
  async countRefusal(error: unknown, { request, response }: Exchange): Promise<void> {
    const limit = throttle(this.settings.values, 'unauthenticated_api');
    if (limit === null || !(error instanceof ApiError)) return;
    const who = addressOf(request);
    const guessing = error instanceof UnauthorizedError ? this.guessing() : null;
    const [tally] = await Promise.all([
      this.limiter.count(limit, who),
      guessing === null ? null : this.limiter.count(guessing, who),
    ]);
    judge(tally, response);
  }

  /** Counts an authenticated or anonymous request, also under the endpoint's own limit. */
  async countRequest(
    auth: AuthContext,
    named: NamedLimit | undefined,
    { request, response }: Exchange,
  ): Promise<void> {
    const sender = senderOf(auth, request);
    const limit = throttle(
      this.settings.values,
      sender.user === null ? 'unauthenticated_api' : 'authenticated_api',
    );
    const who = countedAs(sender);
    const known = limit === null ? null : this.limiter.exceededBy(limit, who);
    const own = known === null ? this.ownLimits(named, sender, request) : [];
    const [tally, ...tallies] = await Promise.all([
      limit === null ? null : this.limiter.count(limit, who),
      ...own.map((measure) => this.limiter.count(measure.limit, measure.who)),
    ]);
    judge(tally ?? null, response);
    judgeOwn(tallies);
  }

  /**
   * Counts a request for a page under its own limits, and an anonymous one like anonymous API
   * requests: a page can cost more than its form. Throws 429.
   */
  async countPage(
    auth: AuthContext,
    named: NamedLimit | undefined,
    request: Request,
  ): Promise<void> {
    const sender = senderOf(auth, request);
    const measures = [...this.strangersLimit(sender), ...this.ownLimits(named, sender, request)];
    judgeOwn(measures.map(({ limit, who }) => this.limiter.exceededBy(limit, who)));
    judgeOwn(await Promise.all(measures.map(({ limit, who }) => this.limiter.count(limit, who))));
  }

  private strangersLimit(sender: Sender): Measure[] {
    if (sender.user !== null) return [];
    const limit = throttle(
      this.settings.values,
      'unauthenticated_api',
      'throttle_unauthenticated_pages',
    );
    return limit === null ? [] : [{ limit, who: countedAs(sender) }];
  }

  private guessing(): Limit | null {
    return throttle(this.settings.values, 'unauthenticated_api', 'throttle_failed_authentication');
  }

  private ownLimits(named: NamedLimit | undefined, sender: Sender, request: Request): Measure[] {
    const names: NamedLimit[] = named === undefined ? [] : [named];
    if (isSearch(request)) names.push('search');
    return names
      .map((name) => NAMED_LIMITS[name](this.settings.values, sender))
      .filter((measure) => measure !== null);
  }
}

function judge(tally: Tally | null, response: Response): void {
  if (tally === null) return;
  if (isOver(tally)) throw new ThrottledError(tally);
  showTally(response, tally);
}

function judgeOwn(tallies: (Tally | null)[]): void {
  const exceeded = tallies.find((counted) => counted !== null && isOver(counted));
  if (exceeded) throw new EndpointLimitError(exceeded);
}

function addressOf(request: Request): string {
  return `address:${clientAddress(request.ip)}`;
}

function senderOf({ viewer, impersonator, ip }: AuthContext, request: Request): Sender {
  const containerId = String(request.params['id'] ?? '');
  return { user: impersonator ?? viewer, address: clientAddress(ip), containerId };
}

/** A list that is searched reads more than one that is paged through. */
function isSearch(request: Request): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const search = request.url.includes('?') ? (request.query['search'] ?? '') : '';
  return search !== '';
}
