import { createHash } from 'node:crypto';
import type { MadeApplication } from './oauth-factories.js';
import type { PageClient } from './page-client.js';

/** A verifier of the right length, and its challenge by S256 (RFC 7636 §4.2). */
export const VERIFIER = 'v'.repeat(43);
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
export const PKCE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };

type Params = Record<string, string | null>;

/** The path that asks for an authorization; null leaves a parameter out. */
export function authorizePath(application: MadeApplication, params: Params = {}): string {
  const all: Params = {
    client_id: application.uid,
    redirect_uri: application.redirectUri,
    response_type: 'code',
    scope: 'read_user',
    state: 'opaque',
    ...params,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
}

/** The value that the forms of a consent page carry. */
export function consentOf(html: string): string {
  const found = /name="consent" value="([^"]+)"/.exec(html)?.[1];
  if (found === undefined) throw new Error('the page asks for no consent');
  return found;
}

/** Asks for an authorization and approves it; answers the query of the redirect. */
export async function approve(pages: PageClient, path: string): Promise<URLSearchParams> {
  const { text } = await pages.get(path).expect(200);
  const answer = await pages.post('/oauth/authorize', { consent: consentOf(text) }).expect(302);
  return paramsOf(answer.headers['location']);
}

/** The query of a redirect. */
export function paramsOf(location: string | undefined): URLSearchParams {
  return new URL(location ?? '').searchParams;
}
