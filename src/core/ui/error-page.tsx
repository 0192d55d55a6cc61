import type { VNode } from 'preact';
import { ButtonLink } from './components/button.js';
import { Document } from './document.js';
import { errorText } from './error-texts.js';

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
