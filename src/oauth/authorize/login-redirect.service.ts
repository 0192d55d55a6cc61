import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { signInLocation } from '../../identity/auth/return-path.js';
import { BrowserSessions } from '../../identity/auth/sessions/browser-sessions.service.js';
import { SessionsRepository } from '../../identity/auth/sessions/sessions.repository.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { HttpResponse } from '../../core/http/http-response.js';
import type { Person } from './authorization-flow.service.js';

/** Leads people to the sign-in page and back to the request that they came with. */
@Injectable()
export class LoginRedirect {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly browsers: BrowserSessions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** 302 to the sign-in page. Who is signed in already is signed out first. */
  async begin(request: Request, response: Response, person: Person | null): Promise<HttpResponse> {
    if (person !== null) {
      await this.sessions.delete({ id: person.session.id, userId: person.viewer.id });
      this.browsers.leave(response);
    }
    const isHttps = this.config.baseUrl.startsWith('https:');
    const path = pathAfterSignIn(request.originalUrl);
    return new HttpResponse(302, undefined, {
      Location: signInLocation(response, path, isHttps),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    });
  }
}

/**
 * Returns the request's own path for after the sign-in, without the parameters that demanded it:
 * otherwise it would be demanded forever.
 */
function pathAfterSignIn(originalUrl: string): string {
  const [path = '', query = ''] = originalUrl.split(/\?(.*)/s, 2);
  const params = new URLSearchParams(query);
  const prompts = (params.get('prompt') ?? '').split(' ').filter((word) => word !== 'login');
  params.delete('max_age');
  params.delete('prompt');
  if (prompts.join('') !== '') params.set('prompt', prompts.join(' '));
  return `${path}?${params.toString()}`;
}
