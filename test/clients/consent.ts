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
  const [, consent] = /name="consent"[^>]* value="([^"]+)"/.exec(first.text) ?? [];
  if (consent === undefined) throw new Error('the page asks for no consent');
  const answer = await pages.post('/oauth/authorize', { consent });
  return { callback: locationOf(answer), wasAsked: true };
}

function locationOf({ headers, status }: { headers: unknown; status: number }): URL {
  const { location } = headers as Record<string, string | undefined>;
  if (location === undefined) throw new Error(`no redirect but ${status}`);
  return new URL(location);
}
