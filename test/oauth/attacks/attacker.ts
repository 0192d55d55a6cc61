import { expect } from '@jest/globals';
import request, { type Test } from 'supertest';
import type { TestApp } from '../../support/app.js';
import {
  CALLBACK,
  clientFields,
  postToken,
  type MadeApplication,
} from '../../support/oauth-factories.js';

type Server = Pick<TestApp, 'url'>;

/** POST /oauth/token with a code, as the application does; null leaves a field out. */
export function exchange(
  app: Server,
  application: Pick<MadeApplication, 'uid' | 'secret'>,
  fields: { code: string; [name: string]: string | null },
): Test {
  const all: Record<string, string | null> = {
    grant_type: 'authorization_code',
    redirect_uri: CALLBACK,
    ...clientFields(application),
    ...fields,
  };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  return postToken(app, Object.fromEntries(sent));
}

/** GET with the token as bearer. */
export function getAs(app: Server, token: string, path = '/api/v4/user'): Test {
  return request(app.url).get(path).set('Authorization', `Bearer ${token}`);
}

/** POST of a form to one of the endpoints for applications. */
export function postForm(app: Server, path: string, fields: Record<string, string>): Test {
  return request(app.url).post(path).type('form').send(fields);
}

/** Asserts a refusal that leads the browser nowhere. */
export function expectToStay(answer: { headers: Record<string, unknown>; text: string }): void {
  expect(answer.headers).not.toHaveProperty('location');
  expect(answer.headers).not.toHaveProperty('refresh');
  expect(answer.text).not.toMatch(/http-equiv="?refresh/i);
  // The page can show the URL as text.
  expect(answer.text).not.toMatch(/(?:href|action|src|content)="[^"]*evil\.example/);
}
