/** Texts of an error page. */
export interface ErrorText {
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
    advice: 'Ask somebody who owns the project or group, or an administrator, for the right to.',
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
      'It is too old, was sent twice, or comes from another site. Nothing was changed. Go back, load the page anew and send the form again.',
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
export function errorText(status: number, isSignedIn: boolean): ErrorText {
  if (status === 404 && isSignedIn) return NOT_FOUND;
  return TEXTS[status] ?? (status >= 500 ? TEXTS[500] : undefined) ?? REFUSED;
}
