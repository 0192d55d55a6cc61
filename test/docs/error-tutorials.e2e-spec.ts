import { beforeAll, describe, expect, it } from '@jest/globals';
import { guideNamed } from '../../src/error-tracking/pages/settings/sdk-guides.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeGroup, makeMemberOf, makeProject } from '../support/project-factories.js';
import { Document, DSN, follows } from './document.js';

follows('docs/tutorials/errors-browser.md', 'sh', 'install');
follows('docs/tutorials/errors-go.md', 'sh', 'install');
follows('docs/tutorials/errors-java.md', 'sh', 'build.gradle', 'Shop.java');
follows('docs/tutorials/errors-node.md', 'sh', 'install');
follows('docs/tutorials/errors-php.md', 'sh', 'install', 'shop.php');
follows('docs/tutorials/errors-python.md', 'sh', 'install');
follows('docs/tutorials/errors-ruby.md', 'sh', 'install');

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

/** Follows a tutorial until the project has a DSN. */
async function follow(page: string) {
  const group = await makeGroup(app);
  const project = await makeProject(app, { namespaceId: group.id });
  const { api, token } = await makeMemberOf(app, project, 'maintainer');
  const path = `docs/tutorials/${page}.md`;
  const setUp = new Document(path, [
    ['acme%2Fshop', encodeURIComponent(project.fullPath)],
    ['svcpat-…', token],
    ['https://code.example.com/api', `${app.url}/api`],
  ]);
  const [, dsn = ''] = /"tracker_dsn":"([^"]+)"/.exec(await setUp.run()) ?? [];
  const errors = async (): Promise<unknown> =>
    (await api.get(`/projects/${project.id}/error_tracking/errors`).expect(200)).body;
  return { dsn, tutorial: new Document(path, [[DSN, dsn]]), errors };
}

/** Posts an event as the SDK of a language does: in an envelope, with the key in a header. */
async function report(dsn: string, event: object): Promise<number> {
  const { origin, username, pathname } = new URL(dsn);
  const [, base = '', project = ''] = /^(.*)\/(\d+)$/.exec(pathname) ?? [];
  const body = ['{}', '{"type":"event"}', JSON.stringify(event)].join('\n');
  const auth = `Sentry sentry_version=7, sentry_client=test/1.0, sentry_key=${username}`;
  const headers = {
    'Content-Type': 'application/x-sentry-envelope',
    'X-Sentry-Auth': auth,
  };
  const url = `${origin}${base}/api/${project}/envelope/`;
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

const exception = (type: string, frame: object): object => ({
  values: [{ type, value: 'The order has no items', stacktrace: { frames: [frame] } }],
});

describe.each([
  {
    page: 'errors-java',
    file: 'Shop.java',
    event: {
      platform: 'java',
      exception: exception('IllegalStateException', {
        module: 'Shop',
        function: 'checkout',
        in_app: true,
      }),
    },
    culprit: 'checkout(Shop)',
  },
  {
    page: 'errors-php',
    file: 'shop.php',
    event: {
      platform: 'php',
      exception: exception('RuntimeException', {
        filename: '/shop.php',
        function: 'checkout',
        in_app: true,
      }),
    },
    culprit: 'checkout(/shop.php)',
  },
])('the tutorial $page', ({ page, file, event, culprit }) => {
  it('makes an error of what the SDK sends', async () => {
    const { dsn, tutorial, errors } = await follow(page);
    expect(tutorial.named(file)).toContain(dsn);
    expect(tutorial.named(file)).toContain('The order has no items');
    expect(await report(dsn, event)).toBe(200);
    expect(await errors()).toEqual([
      expect.objectContaining({ culprit, count: 1, platform: event.platform }),
    ]);
  });
});

describe.each(['browser', 'go', 'java', 'node', 'php', 'python', 'ruby'])(
  'the tutorial errors-%s',
  (guide) => {
    it('gets a DSN, and names the package of the SDK as the set-up page does', async () => {
      const { dsn, tutorial } = await follow(`errors-${guide}`);
      expect(dsn).toContain('/error_tracking/collector/');
      const [install] = guideNamed(guide).steps('');
      expect(tutorial.named(guide === 'java' ? 'build.gradle' : 'install')).toContain(
        install?.code,
      );
    });
  },
);
