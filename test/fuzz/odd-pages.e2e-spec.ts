import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeAdmin, makeUser, unique } from '../support/factories.js';
import { makeApplication } from '../support/oauth-factories.js';
import { makeSession, pageClient } from '../support/page-client.js';
import { makeOwnedGroup, makeProject } from '../support/project-factories.js';
import { IS_FULL } from '../support/scale.js';
import { sitePaths } from '../support/site-routes.js';
import { makeSnippet } from '../support/snippet-factories.js';

/** Names that forms and lists of the site ask for. */
const NAMES = [
  ...['name', 'username', 'email', 'login', 'user', 'password', 'password_confirmation'],
  ...['current_password', 'reset_password_token', 'confirmation_token', 'return_to', 'path'],
  ...['description', 'visibility', 'parent_id', 'namespace_id', 'title', 'files', 'search', 'sort'],
  ...['order_by', 'filter', 'state', 'page', 'per_page', 'kind', 'container', 'scopes', 'trusted'],
  ...['confidential', 'redirect_uri', 'expires_at', 'access_level', 'inherited', 'author'],
  ...['entity_type', 'entity_id', 'author_id', 'created_after', 'created_before', 'dry_run'],
  ...['source_storage_name', 'destination_storage_name', 'projects_limit', 'admin', 'external'],
  ...['public_email', 'website_url', 'bio', 'note', 'request', 'client_id', 'response_type'],
  ...['level', 'new_note', 'notification_email', 'own_activity', 'list_search', 'list_page'],
  ...['state', 'prompt', 'max_age', 'nonce', 'scope', 'code', 'token', 'grant_type', 'resource'],
];

/** Values that no browser sends, by their oddity. */
const VALUES: Readonly<Record<string, unknown>> = {
  'a hash that cannot be text': { toString: '1', valueOf: '1' },
  'a list of hashes': [{ toString: '1' }, { a: '1' }],
  'a list of nothing': [null],
  nothing: null,
  'a list of lists': [['1'], [[]]],
  'a number beyond 64 bits': '9223372036854775808',
  'a number beyond all': `-${'9'.repeat(400)}`,
  'line ends and separators': 'a\r\nSet-Cookie: b=1\u0085\u2028\u2029\u202e',
  'a long text': 'ä'.repeat(20_000),
  'half a character': '\u{1f600}'.repeat(200),
  'a path elsewhere': '//evil.example/%2e%2e/..%2f\\',
  'a number': 1.5,
  'an unnatural date': '275760-99-99T99:99:99Z',
};

let app: TestApp;
let adminId: number;
let places: (path: string) => string;

beforeAll(async () => {
  app = await sharedTestApp();
  const admin = (await makeAdmin(app)).user;
  adminId = admin.id;
  const group = await makeOwnedGroup(app, { user: admin });
  const project = await makeProject(app, { namespaceId: group.id });
  const [snippet, victim, client] = [
    await makeSnippet(app, { authorId: admin.id }),
    await makeUser(app),
    await makeApplication(app),
  ];
  const ids: [RegExp, number][] = [
    [/^\/-\/snippets\/1/, snippet.id],
    [/^\/admin\/users\/1/, victim.id],
    [/^\/admin\/applications\/1/, client.id],
  ];
  places = (path) => {
    const named = path
      .replace('/groups/some/where', `/groups/${group.path}`)
      .replace('/some/where', `/${group.path}/${project.path}`);
    const [, id] = ids.find(([pattern]) => pattern.test(named)) ?? [];
    return id === undefined ? named : named.replace('/1', `/${id}`);
  };
});

/** Those of the kinds that this run looks at: all of them, or every few. */
function shareOf(paths: string[], at: number): string[] {
  return IS_FULL ? paths : paths.filter((_, index) => index % 4 === at % 4);
}

describe.each(Object.keys(VALUES).map((kind, at) => ({ kind, at })))('$kind', ({ kind, at }) => {
  const value = VALUES[kind];

  it('breaks no form', async () => {
    const broken: string[] = [];
    for (const path of shareOf(sitePaths(app, 'post'), at)) {
      const pages = pageClient(app, await makeSession(app, { id: adminId }));
      const { status } = await request(app.url)
        .post(places(path))
        .set('Cookie', `_svc_session=${pages.cookie}`)
        .set('X-CSRF-Token', pages.csrfToken)
        .set('X-Forwarded-For', unique('x'))
        .send(Object.fromEntries(NAMES.map((name) => [name, value])));
      if (status >= 500) broken.push(`${path}: ${status}`);
    }
    expect(broken).toEqual([]);
  });

  it('breaks no page that is asked for it', async () => {
    const pages = pageClient(app, await makeSession(app, { id: adminId }));
    const broken: string[] = [];
    const text = typeof value === 'string' ? value.slice(0, 60) : null;
    const query = NAMES.map((name) =>
      text === null ? `${name}[toString]=1` : `${name}=${encodeURIComponent(text)}`,
    ).join('&');
    for (const path of shareOf(sitePaths(app, 'get'), at)) {
      const { status } = await pages.get(`${places(path)}?${query.slice(0, 10_000)}`);
      if (status >= 500) broken.push(`${path}: ${status}`);
    }
    expect(broken).toEqual([]);
  });
});
