const PROJECT = '/acme/web-shop/checkout';

/** Pages with much to show come first; links lead to the rest. */
const BEGINNINGS = [
  '/',
  PROJECT,
  `${PROJECT}/-/merge_requests/5`,
  `${PROJECT}/-/issues/12`,
  `${PROJECT}/-/compare?from=main&to=percentage-discounts`,
  `${PROJECT}/-/blob/main/src/cart/totals.ts`,
  '/groups/acme',
  '/mei',
  '/admin',
  '/explore',
  '/search?search=cart',
  '/-/docs/api',
  '/-/user_settings/profile',
];

/** Parts of paths that differ between pages of one kind. */
const VARIABLE_PARTS = /** @type {const} */ ([
  [/^\/groups\/(?!new$)(?:(?!\/-\/|\/-$).)+/, '/groups/:group'],
  [/^\/(?!groups\/|-\/|admin\/|users\/|dashboard\/)(?:(?!\/-\/).)+(?=\/-\/)/, '/:project'],
  [/\/-\/(tree|blob|raw|commits)\/.*/, '/-/$1/:path'],
  [/\/-\/commit\/[^/]+/, '/-/commit/:sha'],
  [/\/users\/[^/]+\/activity/, '/users/:user/activity'],
  [/\/(storages)\/[^/]+/, '/$1/:name'],
  [/\/events\/[0-9a-f-]{8,}/, '/events/:id'],
  [/\/\d+(?=\/|$)/g, '/:id'],
]);

/**
 * Follows links from page to page and returns the address of one page of each kind.
 * @param {(address: string) => Promise<string | null>} read the HTML of a page, null for anything else
 * @returns {Promise<string[]>}
 */
export async function siteMap(read) {
  const waiting = [...BEGINNINGS];
  /** @type {Set<string>} */
  const kinds = new Set();
  /** @type {string[]} */
  const addresses = [];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const kind = kindOf(next);
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    const html = await read(next);
    if (html === null) continue;
    addresses.push(next);
    const links = html.matchAll(/<a [^>]*href="(\/[^"#]*)/g);
    waiting.push(...[...links].map(([, href = '']) => href.replaceAll('&amp;', '&')));
  }
  return addresses.toSorted();
}

/** @param {string} address */
function kindOf(address) {
  const [path = ''] = address.split('?');
  return VARIABLE_PARTS.reduce((kind, [part, name]) => kind.replace(part, name), path);
}
