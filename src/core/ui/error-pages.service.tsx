import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { VNode } from 'preact';
import { authContext } from '../access/auth-context.js';
import { type ApiError, StorageUnavailableError } from '../errors.js';
import { HttpResponse } from '../http/http-response.js';
import { Assets } from './assets.service.js';
import { ButtonLink } from './components/button.js';
import { Document, pageHeaders, renderPage, type DocumentProps } from './document.js';
import { homePath, preferencesOf } from './preferences.js';
import { Brand } from './top-bar.js';

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

interface ErrorPageProps {
  status: number;
  /** Address of the sign-in, which returns to the page; null for signed-in users. */
  signInHref: string | null;
  requestId: string;
  /** One sentence that explains the cause. */
  reason: string | undefined;
  /** Seconds, where the refusal names them. */
  retryAfter: string | undefined;
  files: Pick<DocumentProps, 'icon' | 'styleSheets' | 'font' | 'preferences'>;
}

/** Statuses after which signing in can help. */
const NEEDS_SIGN_IN = [401, 404];

/** A refusal for people; says nothing about who asked but whether they are signed in. */
export function ErrorPage(props: ErrorPageProps): VNode {
  const { status, signInHref, requestId, reason, retryAfter, files } = props;
  const offersSignIn = signInHref !== null && NEEDS_SIGN_IN.includes(status);
  const { title, advice, causes = [] } = errorText(status, signInHref === null);
  return (
    <Document title={`${title} · Guildhall`} {...files}>
      <div class="frame bare">
        <div class="frame-content">
          <header class="top-bar">
            <Brand icon={files.icon} href={homePath(files.preferences)} />
          </header>
          <main id="content" class="error-page" tabIndex={-1}>
            <p class="error-status">{status}</p>
            <h1>{title}</h1>
            {reason !== undefined && <p>{reason}</p>}
            <p>{retryAfter === undefined ? advice : `Try again in ${retryAfter} seconds.`}</p>
            {causes.length > 0 && (
              <ul>
                {causes.map((cause) => (
                  <li key={cause}>{cause}</li>
                ))}
              </ul>
            )}
            <div class="error-actions">
              {offersSignIn && <ButtonLink href={signInHref}>Sign in</ButtonLink>}
              <ButtonLink href="/" variant={offersSignIn ? 'outline' : 'primary'}>
                Go to home
              </ButtonLink>
            </div>
            <p class="error-request">
              Request ID <code>{requestId}</code>
            </p>
          </main>
        </div>
      </div>
    </Document>
  );
}

/** Texts of an error page. */
interface ErrorText {
  title: string;
  /** Advice about the next step. */
  advice: string;
  /** Possible causes, where there are several. */
  causes?: string[];
}

const MISTYPED = 'The address is mistyped or incomplete.';
const MOVED = 'The page was moved, renamed or deleted.';

const TEXTS: Record<number, ErrorText> = {
  400: {
    title: 'Bad request',
    advice: 'The URL or the form data is invalid. Go back and try again.',
  },
  401: { title: 'You are not signed in', advice: 'Sign in, then open the page again.' },
  403: {
    title: "You don't have permission",
    advice: 'Ask an owner or administrator for access.',
  },
  404: {
    title: 'Page not found',
    advice: 'Possible causes:',
    causes: [
      'The page is not public. Sign in with an account that has access to it.',
      MISTYPED,
      MOVED,
    ],
  },
  405: {
    title: 'Method not allowed',
    advice: 'This page does not accept this type of request. Open it from a link instead.',
  },
  413: {
    title: 'Request too large',
    advice: 'The form or file exceeds the size limit. Go back and send less.',
  },
  414: { title: 'Address too long', advice: 'Shorten the URL and try again.' },
  422: {
    title: 'The form has expired',
    advice: 'Nothing was changed. Go back, reload the page and try again.',
  },
  429: { title: 'Too many requests', advice: 'Wait a moment, then try again.' },
  500: {
    title: 'Something went wrong on our side',
    advice: 'Try again. If it happens again, send the request ID below to an administrator.',
  },
  503: {
    title: 'Service unavailable',
    advice: 'Nothing was changed. Try again in a few seconds.',
  },
};

/** For those who are signed in. */
const NOT_FOUND: ErrorText = {
  title: 'Page not found',
  advice: 'Possible causes:',
  causes: ["You don't have access. Ask an owner of the project or group.", MISTYPED, MOVED],
};

const REFUSED: ErrorText = {
  title: 'The request was refused',
  advice: 'Go back and try again.',
};

/**
 * Returns the text for a status, that of 500 for server errors without their own. Signed-in users
 * are not advised to sign in.
 */
function errorText(status: number, isSignedIn: boolean): ErrorText {
  if (status === 404 && isSignedIn) return NOT_FOUND;
  return TEXTS[status] ?? (status >= 500 ? TEXTS[500] : undefined) ?? REFUSED;
}
