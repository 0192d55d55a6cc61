import type { Response } from 'supertest';
import { newAnonymousValue } from '../../src/identity/auth/sessions/session-cookies.js';
import { hashPassword } from '../../src/core/passwords.js';
import type { User } from '../../src/identity/users/user.entity.js';
import type { TestApp } from './app.js';
import { makeUser, type MadeUser } from './factories.js';
import { pageClient, type PageClient } from './page-client.js';

export const PASSWORD = 'plum-orbit-kettle-42';
let digest: Promise<string> | undefined;

/** A person who can sign in with PASSWORD. */
export async function makePerson(
  app: Pick<TestApp, 'dataSource'>,
  attributes: Partial<User> = {},
): Promise<MadeUser> {
  digest ??= hashPassword(PASSWORD);
  return makeUser(app, { passwordDigest: await digest, ...attributes });
}

/** A browser that has seen the sign-in page, and nothing else. */
export function newBrowser(app: Pick<TestApp, 'url' | 'config'>): PageClient {
  return pageClient(app, newAnonymousValue());
}

/** Sends the form of the sign-in page from a new browser. */
export async function signIn(
  app: Pick<TestApp, 'url' | 'config'>,
  login: string,
  { password = PASSWORD, remember = 'false' }: { password?: string; remember?: string } = {},
): Promise<Response> {
  return newBrowser(app).post('/users/sign_in', {
    'user[login]': login,
    'user[password]': password,
    'user[remember_me]': remember,
  });
}

/** Lines of the answer's Set-Cookie for a cookie of this name. */
export function cookieLines(response: Response, name = '_svc_session'): string[] {
  const lines = response.get('Set-Cookie') ?? [];
  return lines.filter((line) => line.startsWith(`${name}=`));
}

/** Value of the session's cookie that the answer gives. */
export function sessionValue(response: Response): string {
  const [line = ''] = cookieLines(response);
  return line.slice(line.indexOf('=') + 1).split(';')[0] ?? '';
}
