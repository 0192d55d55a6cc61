/** The loopback addresses of RFC 8252 §7.3; `localhost` is a name that can be anyone's (§8.3). */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

/** Redirect attributes of an application. */
interface RedirectRules {
  redirectUris: readonly string[];
  confidential: boolean;
}

/**
 * Returns true if responses can be sent to `uri`: byte for byte one of the registered ones (RFC
 * 9700 §2.1). Native applications, which cannot keep a secret, can use any port of the device's
 * loopback address (RFC 8252 §7.3).
 */
export function isRegistered(uri: string, { redirectUris, confidential }: RedirectRules): boolean {
  if (redirectUris.includes(uri)) return true;
  if (confidential || !LOOPBACK.test(uri) || !URL.canParse(uri)) return false;
  const asked = withoutPort(uri);
  return redirectUris.some((known) => LOOPBACK.test(known) && withoutPort(known) === asked);
}

function withoutPort(uri: string): string {
  return uri.replace(LOOPBACK, '$1');
}

/** Where a redirect leads, for people: the host of a web address, else the scheme of an app. */
export function redirectHost(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'http:' || protocol === 'https:' ? host : `${protocol}//`;
}
