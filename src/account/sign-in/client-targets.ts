const AUTHORIZATION_PATH = '/oauth/authorize?';
const MAX_LENGTH = 2_048;
/** Schemes whose addresses are content, not places. */
const CONTENT = ['javascript:', 'data:', 'blob:', 'filesystem:', 'about:'];

/**
 * Where the form of the sign-in page may lead besides this site: browsers apply `form-action` to
 * the redirects that follow, which end at an application when its authorization was asked for and
 * needs no consent. Whether the application may be led to is decided there.
 */
export function clientTargets(returnPath: string): string[] {
  if (!returnPath.startsWith(AUTHORIZATION_PATH)) return [];
  const query = new URLSearchParams(returnPath.slice(AUTHORIZATION_PATH.length));
  const uri = query.get('redirect_uri');
  if (uri === null || uri.length > MAX_LENGTH || !URL.canParse(uri)) return [];
  return CONTENT.includes(new URL(uri).protocol) ? [] : [uri];
}
