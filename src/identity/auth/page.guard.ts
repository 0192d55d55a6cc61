import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import {
  ABILITY_KEY,
  FEED_KEY,
  FEED_TOKEN_PARAM,
  OPEN_FORM_KEY,
  type GlobalAbility,
} from '../../core/access/access.decorator.js';
import {
  ANONYMOUS,
  authContext,
  setAuthContext,
  type AuthContext,
  type Viewer,
} from '../../core/access/auth-context.js';
import { setCsrfToken } from '../../core/access/csrf.js';
import { ApiError, NotFoundError, UnauthorizedError } from '../../core/errors.js';
import { requestAddress } from '../../core/http/request-address.js';
import { RATE_LIMIT_KEY, type NamedLimit } from '../../core/rate-limits/named-limits.js';
import { FeedTokens } from '../tokens/feed-tokens.service.js';
import { AccountsRepository } from './accounts.repository.js';
import { ApiLimits, type Exchange } from './api-limits.service.js';
import { signInLocation } from './sessions/session-cookies.js';
import { BrowserSessions } from './sessions/sessions.service.js';
import { assertUserMayAct } from './user-state.js';

/** 422 of a form that does not show the token of the session it is sent with. */
export class ForgedRequestError extends ApiError {
  constructor() {
    super(422, { message: '422 The form was not sent from a page of yours, or is too old' });
  }
}

/**
 * Leads to the sign-in page (302). A live region would show that page within itself: its script
 * takes another header to be led away.
 */
class SignInRequired extends ApiError {
  constructor(location: string, isLiveRegion: boolean) {
    const way = { [isLiveRegion ? 'HX-Redirect' : 'Location']: location };
    const headers = { ...way, 'Cache-Control': 'no-store' };
    super(isLiveRegion ? 401 : 302, {}, { headers, text: '' });
  }
}

/**
 * Authenticates page requests and checks their access: forms must contain the session's CSRF token,
 * and pages declare their viewers.
 */
@Injectable()
export class PageGuard implements CanActivate {
  private readonly isHttps: boolean;

  constructor(
    private readonly reflector: Reflector,
    private readonly browsers: BrowserSessions,
    private readonly feedTokens: FeedTokens,
    private readonly accounts: AccountsRepository,
    private readonly limits: ApiLimits,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.isHttps = config.baseUrl.startsWith('https:');
  }

  async canActivate(context: ExecutionContext): Promise<true> {
    const targets = [context.getHandler(), context.getClass()];
    const ability = this.reflector.getAllAndOverride<GlobalAbility>(ABILITY_KEY, targets);
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const isFeed = this.reflector.get<boolean>(FEED_KEY, context.getHandler()) === true;
    if (isFeed && request.query[FEED_TOKEN_PARAM] !== undefined) {
      await this.admitReader({ request, response });
      return true;
    }
    const { session, csrfToken, isGenuine } = await this.browsers.ofPageRequest(request, response);
    const viewer = session?.user ?? null;
    const auth = { ...ANONYMOUS, viewer, session, ip: requestAddress(request) };
    setAuthContext(request, auth);
    setCsrfToken(request, csrfToken);
    const isOpen = this.reflector.get<boolean>(OPEN_FORM_KEY, context.getHandler()) === true;
    if (!isGenuine && !isOpen) throw new ForgedRequestError();
    if (this.limits.enabled) {
      const named = this.reflector.getAllAndOverride<NamedLimit>(RATE_LIMIT_KEY, targets);
      await this.limits.countPage(auth, named, request);
    }
    if (isFeed && ability !== 'anyone' && viewer === null) throw new UnauthorizedError();
    this.assertAbility(ability, { viewer }, { request, response });
    return true;
  }

  /**
   * Authenticates a feed reader by its token alone, under the rate limits of API requests. Throws
   * 401 for an unknown token, also for feeds that are open to everyone, and 403 for a user who
   * cannot use the API.
   */
  private async admitReader(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const { enabled } = this.limits;
    if (enabled) this.limits.refuseGuessing(request);
    try {
      const viewer = await this.findReader(request.query[FEED_TOKEN_PARAM]);
      setAuthContext(request, { ...ANONYMOUS, viewer, ip: requestAddress(request) });
    } catch (error) {
      if (enabled) await this.limits.countRefusal(error, exchange);
      throw error;
    }
    if (enabled) await this.limits.countRequest(authContext(request), undefined, exchange);
  }

  private async findReader(token: unknown): Promise<Viewer> {
    const userId = typeof token === 'string' ? await this.feedTokens.findOwner(token) : null;
    const viewer = userId === null ? null : await this.accounts.findViewerById(userId);
    if (viewer === null) throw new UnauthorizedError();
    assertUserMayAct(viewer, this.config.baseUrl);
    return viewer;
  }

  private assertAbility(
    ability: GlobalAbility,
    { viewer }: Pick<AuthContext, 'viewer'>,
    { request, response }: { request: Request; response: Response },
  ): void {
    if (ability === 'anyone') return;
    if (viewer === null) {
      const isLiveRegion = request.headers['hx-request'] === 'true';
      const path = isLiveRegion ? pathAround(request) : pathAsked(request);
      throw new SignInRequired(signInLocation(response, path, this.isHttps), isLiveRegion);
    }
    // Hides the existence of administration pages from other users.
    if (ability === 'administrate' && !viewer.admin) throw new NotFoundError();
  }
}

/** Returns the page to return to after the sign-in. Leaves forms out: they are not sent twice. */
function pathAsked({ method, originalUrl }: Request): string {
  return method === 'GET' || method === 'HEAD' ? originalUrl : '/';
}

/** The page that a live region is part of; its origin does not count, the way back is local. */
function pathAround({ headers }: Request): string {
  const address = headers['hx-current-url'];
  if (typeof address !== 'string' || !URL.canParse(address)) return '/';
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}
