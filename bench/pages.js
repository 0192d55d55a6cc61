import { startStack } from './support/stack.js';
import { median } from './support/figures.js';

/** Milliseconds that the server takes for a page at most, at the median. */
const LIMIT = 60;
const WARM_UP = 3;
const RUNS = 15;
const PASSWORD = 'only for this measurement';
const PROJECT = '/acme/web-shop/checkout';
const CODE = [
  'tree/main',
  'tree/main/src',
  'blob/main/src/cart/totals.ts',
  'commits/main',
  'branches',
]
  .concat(['tags', 'compare?from=main&to=percentage-discounts', 'commit/main', 'merge_requests'])
  .concat(['merge_requests/5', 'issues', 'issues/12', 'milestones', 'alert_management'])
  .concat(['error_tracking', 'project_members', 'activity', 'edit']);
const PAGES = ['/', '/explore', '/mei', '/dashboard/activity', '/groups/acme', PROJECT]
  .concat(CODE.map((path) => `${PROJECT}/-/${path}`))
  .concat(['/-/docs/api', '/-/docs/api/projects', '/-/profile/notifications'])
  .concat(['/admin', '/admin/users', '/admin/storage_moves', '/admin/audit_logs']);

/**
 * Server time of the main pages with demo data, from the request to the last byte, signed in.
 * @returns {Promise<import('./run.js').BenchRow[]>}
 */
export async function run() {
  const stack = await startStack({ DEMO_DATA: 'on', INITIAL_ROOT_PASSWORD: PASSWORD });
  try {
    const cookie = await signIn(stack.url);
    /** @type {import('./run.js').BenchRow[]} */
    const rows = [];
    for (const path of PAGES) {
      const ours = await timeOf(stack.url + path, cookie);
      const shared = { metric: 'ms', peer: LIMIT, peerName: 'limit', target: '<= 1' };
      rows.push({ name: `page ${path}`, ours, ratio: ours / LIMIT, ...shared });
    }
    return rows;
  } finally {
    await stack.stop();
  }
}

/**
 * @param {string} url
 * @param {string} cookie
 */
async function timeOf(url, cookie) {
  /** @type {number[]} */
  const times = [];
  for (let at = 0; at < WARM_UP + RUNS; at += 1) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { cookie, 'accept-encoding': 'gzip' } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${url} answers ${response.status}`);
    if (at >= WARM_UP) times.push(performance.now() - startedAt);
  }
  return median(times);
}

/**
 * @param {string} url
 * @returns {Promise<string>} the session's cookie
 */
async function signIn(url) {
  const form = await fetch(`${url}/users/sign_in`);
  const anonymous = cookieOf(form);
  const [, token = ''] = /name="authenticity_token" value="([^"]+)"/.exec(await form.text()) ?? [];
  const response = await fetch(`${url}/users/sign_in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: anonymous },
    body: new URLSearchParams({
      authenticity_token: token,
      'user[login]': 'root',
      'user[password]': PASSWORD,
    }),
  });
  if (response.status !== 303) throw new Error(`sign-in answers ${response.status}`);
  return cookieOf(response);
}

/** @param {Response} response */
function cookieOf(response) {
  const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  return cookies.find((one) => one.startsWith('_svc_session=')) ?? '';
}
