import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { authContext } from '../access/auth-context.js';
import { type ApiError, StorageUnavailableError } from '../errors.js';
import { HttpResponse } from '../http/http-response.js';
import { Assets } from './assets.service.js';
import { renderPage } from './document.js';
import { ErrorPage } from './error-page.js';
import { pageHeaders } from './page-headers.js';
import { preferencesOf } from './preferences.js';

/** Refusals as pages for people. */
@Injectable()
export class ErrorPages {
  constructor(private readonly assets: Assets) {}

  /**
   * Returns a page with the error, the next step and the request ID. Except for storage failures,
   * its text depends only on the status and on whether the user is signed in: an error's own
   * message can contain attacker-controlled text.
   */
  refusal(error: ApiError, request: Request, requestId: string): HttpResponse {
    const { status, headers } = error;
    const page = ErrorPage({
      status,
      signInHref: authContext(request).viewer === null ? signInAddress(request) : null,
      requestId,
      reason: error instanceof StorageUnavailableError ? error.reason : undefined,
      retryAfter: headers['Retry-After'],
      files: {
        icon: this.assets.pathOf('icon.svg'),
        styleSheets: [this.assets.pathOf('app.css')],
        font: this.assets.pathOf('inter.woff2'),
        preferences: preferencesOf(request),
      },
    });
    return new HttpResponse(status, renderPage(page), { ...headers, ...pageHeaders({}, true) });
  }
}

/** Addresses that browsers and proxies take everywhere. */
const MAX_RETURN_LENGTH = 2_000;

/** Where to sign in on the way back to the page; forms are not sent twice. */
function signInAddress({ method, originalUrl }: Request): string {
  const address = encodeURIComponent(originalUrl);
  const isReturned = (method === 'GET' || method === 'HEAD') && address.length <= MAX_RETURN_LENGTH;
  return isReturned ? `/users/sign_in?return_to=${address}` : '/users/sign_in';
}
