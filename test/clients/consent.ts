import { consentOf } from '../support/authorization.js';
import type { PageClient } from '../support/page-client.js';

/**
 * Goes through the authorization endpoint as a person who approves; answers the address that the
 * application gets the browser back at. `wasAsked` tells whether consent was needed.
 */
export async function approve(
  pages: PageClient,
  url: URL,
): Promise<{ callback: URL; wasAsked: boolean }> {
  const first = await pages.get(url.pathname + url.search);
  if (first.status === 302) return { callback: locationOf(first), wasAsked: false };
  if (first.status !== 200) throw new Error(`no consent page but ${first.status}: ${first.text}`);
  const answer = await pages.post('/oauth/authorize', { consent: consentOf(first.text) });
  return { callback: locationOf(answer), wasAsked: true };
}

function locationOf({ headers, status }: { headers: unknown; status: number }): URL {
  const { location } = headers as Record<string, string | undefined>;
  if (location === undefined) throw new Error(`no redirect but ${status}`);
  return new URL(location);
}
