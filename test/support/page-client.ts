import request, { type Test } from 'supertest';
import { credentialDigest } from '../../src/core/secrets.js';
import { newSessionValue } from '../../src/identity/auth/sessions/session-cookies.js';
import { CSRF_FIELD, CsrfTokens } from '../../src/core/access/csrf.js';
import { Session } from '../../src/identity/auth/sessions/sessions.repository.js';
import { CONNECTIONS } from './api-client.js';
import type { TestApp } from './app.js';
import { makeUser, type MadeUser } from './factories.js';

type Fields = Record<string, string | readonly string[]>;

/** One browser's view of the site; paths begin at its root. */
export interface PageClient {
  /** Value of the session's cookie. */
  cookie: string;
  /** For X-CSRF-Token, and sent along with every form. */
  csrfToken: string;
  get(path: string): Test;
  /** Sends a form of the site; lists go out as `name[]`. */
  post(path: string, fields?: Fields): Test;
}

/** A session of the user that was begun just now; answers the value of its cookie. */
export async function makeSession(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  user: { id: number },
  attributes: Partial<Session> = {},
): Promise<string> {
  const value = newSessionValue();
  const now = Date.now();
  await dataSource.manager.insert(Session, {
    userId: user.id,
    signedInAt: new Date(now),
    lastSeenAt: new Date(now),
    expiresAt: new Date(now + 86_400_000),
    ip: '127.0.0.1',
    ...attributes,
    digest: credentialDigest(value),
  });
  return value;
}

/** A browser that sends this cookie of a session. */
export function pageClient(
  { url, config }: Pick<TestApp, 'url' | 'config'>,
  cookie: string,
): PageClient {
  const csrfToken = new CsrfTokens(config.secretKey).of(cookie);
  const header = `_svc_session=${cookie}`;
  return {
    cookie,
    csrfToken,
    get: (path) => request(url).get(path).agent(CONNECTIONS).set('Cookie', header),
    post: (path, fields = {}) =>
      request(url)
        .post(path)
        .agent(CONNECTIONS)
        .set('Cookie', header)
        .type('form')
        .send(encoded({ ...fields, [CSRF_FIELD]: csrfToken })),
  };
}

/** Follows a form's redirect with its flash message and returns the page's HTML. */
export async function follow(
  pages: PageClient,
  { headers }: { headers: Record<string, unknown> },
): Promise<string> {
  const cookies = headers['set-cookie'] as string[];
  const flash = cookies.find((cookie) => cookie.startsWith('_svc_flash='))?.split(';')[0];
  const { text } = await pages
    .get(String(headers['location']))
    .set('Cookie', `_svc_session=${pages.cookie}; ${flash}`)
    .expect(200);
  return text;
}

/** A browser in which the user is signed in. */
export async function signedIn(
  app: TestApp,
  user: { id: number },
  attributes: Partial<Session> = {},
): Promise<PageClient> {
  return pageClient(app, await makeSession(app, user, attributes));
}

/** A new user with a browser in which they are signed in. */
export async function makeVisitor(
  app: TestApp,
  attributes: Parameters<typeof makeUser>[1] = {},
): Promise<{ user: MadeUser; pages: PageClient }> {
  const user = await makeUser(app, attributes);
  return { user, pages: await signedIn(app, user) };
}

function encoded(fields: Fields): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') params.append(name, value);
    else for (const item of value) params.append(`${name}[]`, item);
  }
  return params.toString();
}
