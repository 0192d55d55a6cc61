/** First segment of controller paths that are not below /api/v4. No URL can hold it by chance. */
const ROOT = '~';

/**
 * Path of a controller whose routes lie at the root of the site: `@Controller(atRoot('oauth'))`.
 * Without it a controller's routes belong to the REST API.
 */
export function atRoot(path = ''): string {
  return `${ROOT}/${path}`;
}

/** The path at the root of the site of a route made by `atRoot`, null for routes of the API. */
export function rootPathOf(route: string): string | null {
  const at = route.indexOf(`/${ROOT}`);
  if (at === -1) return null;
  return route.slice(at + ROOT.length + 1) || '/';
}
