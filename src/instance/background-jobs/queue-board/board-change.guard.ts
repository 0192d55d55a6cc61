import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ForgedRequestError } from '../../../identity/auth/page.guard.js';
import { BrowserSessions } from '../../../identity/auth/sessions/browser-sessions.service.js';
import { CONFIG } from '../../../config/config.module.js';
import type { Config } from '../../../config/env.js';
import { ANONYMOUS, setAuthContext } from '../../../core/access/auth-context.js';
import { NotFoundError } from '../../../core/errors.js';
import { requestAddress } from '../../../core/http/request-address.js';

/**
 * Lets administrators change queues by their session. The board's own script does not send our CSRF
 * tokens, so the request's origin counts as well (Fetch Metadata, RFC 6454 §7): scripts of other
 * sites cannot change queues.
 */
@Injectable()
export class BoardChangeGuard implements CanActivate {
  private readonly origin: string;

  constructor(
    private readonly browsers: BrowserSessions,
    @Inject(CONFIG) config: Config,
  ) {
    this.origin = new URL(config.baseUrl).origin;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const { session, isGenuine } = await this.browsers.ofPageRequest(request, response);
    if (session?.user.admin !== true) throw new NotFoundError();
    if (!isGenuine && !this.isOfOurPages(request)) throw new ForgedRequestError();
    const ip = requestAddress(request);
    setAuthContext(request, { ...ANONYMOUS, viewer: session.user, session, ip });
    return true;
  }

  private isOfOurPages({ headers }: Request): boolean {
    const site = headers['sec-fetch-site'];
    return site === undefined ? headers.origin === this.origin : site === 'same-origin';
  }
}
