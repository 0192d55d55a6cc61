import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG } from '../../../config/config.module.js';
import type { Config } from '../../../config/env.js';
import { CsrfTokens } from '../../../core/access/csrf.js';
import {
  cookieOf,
  isAnonymousValue,
  newAnonymousValue,
  SESSION_COOKIE,
  setCookie,
} from './session-cookies.js';
import type { FoundSession } from './sessions.repository.js';
import { Sessions } from './sessions.service.js';

const SAFE_METHODS = ['GET', 'HEAD'];

/** The session that a browser's request belongs to, with the token that its forms must show. */
interface BrowserSession {
  session: FoundSession | null;
  csrfToken: string;
  /** Proof against request forgery: a valid CSRF token or a safe method. */
  isGenuine: boolean;
}

/** Connects requests of browsers with sessions by their cookie. */
@Injectable()
export class BrowserSessions {
  private readonly csrf: CsrfTokens;
  private readonly isHttps: boolean;

  constructor(
    private readonly sessions: Sessions,
    @Inject(CONFIG) config: Config,
  ) {
    this.csrf = new CsrfTokens(config.secretKey);
    this.isHttps = config.baseUrl.startsWith('https:');
  }

  /**
   * The session of a request to the API: only for reading or with the X-CSRF-Token of the session,
   * since browsers send cookies automatically; otherwise null.
   */
  async ofApiRequest(request: Request): Promise<FoundSession | null> {
    const value = cookieOf(request, SESSION_COOKIE);
    if (value === null || isAnonymousValue(value)) return null;
    const isGenuine = SAFE_METHODS.includes(request.method) || this.csrf.isShown(request, value);
    return isGenuine ? this.sessions.find(value) : null;
  }

  /** The session of a request for a page; who has none gets a cookie for the token of forms. */
  async ofPageRequest(request: Request, response: Response): Promise<BrowserSession> {
    const value = cookieOf(request, SESSION_COOKIE) ?? '';
    const isKnown = value !== '' && !isAnonymousValue(value);
    const session = isKnown ? await this.sessions.find(value) : null;
    const isGenuine =
      SAFE_METHODS.includes(request.method) || (value !== '' && this.csrf.isShown(request, value));
    const keepsValue = session !== null || isAnonymousValue(value);
    const current = keepsValue ? value : newAnonymousValue();
    // Forms of other sites come without the cookie that the browser has: it must not be replaced.
    if (!keepsValue && isGenuine) setCookie(response, current, { isHttps: this.isHttps });
    return { session, csrfToken: this.csrf.of(current), isGenuine };
  }

  /** Gives the browser the cookie of a new session: the value before it is worth nothing now. */
  enter(response: Response, value: string, remembered: boolean): void {
    const maxAge = this.sessions.cookieLifetime(remembered);
    const choice = { isHttps: this.isHttps, ...(maxAge !== undefined && { maxAge }) };
    response.removeHeader('Set-Cookie');
    setCookie(response, value, choice);
  }

  /** Takes the cookie away. */
  leave(response: Response): void {
    setCookie(response, '', { isHttps: this.isHttps });
  }
}
