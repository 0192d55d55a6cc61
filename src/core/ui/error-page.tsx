import type { VNode } from 'preact';
import { ButtonLink } from './components/button.js';
import { Document } from './document.js';

interface ErrorPageProps {
  status: number;
  isSignedIn: boolean;
  requestId: string;
  /** One sentence that explains the cause. */
  reason: string | undefined;
  /** Seconds, where the refusal names them. */
  retryAfter: string | undefined;
  icon: string;
  styleSheet: string;
}

/** Statuses after which signing in can help. */
const NEEDS_SIGN_IN = [401, 404];

/** A refusal for people; says nothing about who asked but whether they are signed in. */
export function ErrorPage(props: ErrorPageProps): VNode {
  const { status, isSignedIn, requestId, reason, retryAfter, ...files } = props;
  const offersSignIn = !isSignedIn && NEEDS_SIGN_IN.includes(status);
  const { title, advice } = errorText(status, isSignedIn);
  return (
    <Document title={`${title} · Guildhall`} icon={files.icon} styleSheets={[files.styleSheet]}>
      <header class="top-bar">
        <div>
          <a class="brand" href="/">
            <img src={files.icon} alt="" width={24} height={24} />
            Guildhall
          </a>
        </div>
      </header>
      <div class="page" data-width="narrow">
        <main id="content" tabIndex={-1}>
          <div class="grid gap-2">
            <p class="text-muted-foreground font-mono">{status}</p>
            <h1>{title}</h1>
            {reason !== undefined && <p>{reason}</p>}
            <p>{advice}</p>
            {retryAfter !== undefined && <p>The earliest moment is in {retryAfter} seconds.</p>}
          </div>
          <div class="flex flex-wrap gap-3">
            <ButtonLink href="/" variant="outline">
              {isSignedIn ? 'To the dashboard' : 'To the start page'}
            </ButtonLink>
            {offersSignIn && (
              <ButtonLink href="/users/sign_in" variant="ghost">
                Sign in
              </ButtonLink>
            )}
          </div>
          <p class="text-muted-foreground">
            Request id: <code>{requestId}</code>
          </p>
        </main>
      </div>
    </Document>
  );
}

/** Texts of an error page. */
interface ErrorText {
  title: string;
  /** Advice about the next step. */
  advice: string;
}

const TEXTS: Record<number, ErrorText> = {
  400: {
    title: 'This request makes no sense',
    advice: 'The address or the form is not what this page expects. Go back and try again.',
  },
  401: { title: 'You are not signed in', advice: 'Sign in, then open the page again.' },
  403: {
    title: 'You may not do this',
    advice: 'Ask an owner of the project or group, or an administrator, for access.',
  },
  404: {
    title: 'Page not found',
    advice: 'There is no such page, or you may not see it. Check the address, or sign in.',
  },
  405: {
    title: 'This cannot be done here',
    advice: 'The page is there, but not for this kind of request. Open it from a link instead.',
  },
  413: { title: 'That was too large', advice: 'Go back and send less at once.' },
  414: { title: 'This address is too long', advice: 'Shorten the address, or search for less.' },
  422: {
    title: 'The form is no longer valid',
    advice:
      'It has expired, was sent twice, or comes from another site. Nothing was changed. Go back, reload the page and submit the form again.',
  },
  429: {
    title: 'Too many requests',
    advice: 'Your address or account has asked too often. Wait a little, then try again.',
  },
  500: {
    title: 'Something went wrong on our side',
    advice: 'Try again. If it happens again, tell an administrator the request id below.',
  },
  503: {
    title: 'Service unavailable',
    advice: 'Nothing was changed. Try again in a few seconds.',
  },
};

/** For those who are signed in. */
const NOT_FOUND: ErrorText = {
  title: 'Page not found',
  advice: 'There is no such page, or you may not see it. Check the address.',
};

const REFUSED: ErrorText = {
  title: 'The request was refused',
  advice: 'Go back and try again.',
};

/**
 * The words for a status; `500` for every fault of ours that has none of its own. Who is signed in
 * is not advised to sign in.
 */
function errorText(status: number, isSignedIn: boolean): ErrorText {
  if (status === 404 && isSignedIn) return NOT_FOUND;
  return TEXTS[status] ?? (status >= 500 ? TEXTS[500] : undefined) ?? REFUSED;
}
