import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';

/** Compressed kilobytes by type of resource. */
const BUDGET: Readonly<Record<string, number>> = { document: 25, stylesheet: 15, script: 45 };
const SOURCE = Array.from({ length: 400 }, (_, at) => `export const a${at} = ${at}; // line`);
const PAGES = [
  '',
  '/-/tree/main',
  '/-/blob/main/weave.js',
  '/-/commits/main',
  '/-/branches',
].concat(
  ['/-/merge_requests', '/-/issues', '/-/issues/new', '/-/milestones', '/-/alert_management'],
  ['/-/error_tracking', '/-/project_members', '/-/edit', '/-/activity'],
);

let app: BrowserApp;
let user: MadeUser;
let project: MadeProject;
beforeAll(async () => {
  app = await sharedBrowserApp();
  user = await makeUser(app, { admin: true });
  const files = { 'README.md': '# Cards\n', 'weave.js': SOURCE.join('\n') };
  project = await makeProject(app, { namespaceId: user.namespaceId, files });
});
afterAll(() => app.close());

describe('main pages', () => {
  it('stay within the budget, with one style sheet and one script of our own', async () => {
    const page = await app.pageAs(user);
    // Of each page on its own.
    await page.route('**/*', (route) => route.continue());
    const paths = [
      '/',
      '/dashboard/todos',
      '/explore',
      '/admin',
      ...PAGES.map((path) => `/${project.fullPath}${path}`),
    ];
    const faults: string[] = [];
    for (const path of paths) {
      const loaded: { type: string; url: string; bytes: number }[] = [];
      page.on('requestfinished', (request) => {
        void request.sizes().then(({ responseBodySize }) => {
          loaded.push({
            type: request.resourceType(),
            url: request.url(),
            bytes: responseBodySize,
          });
        });
      });
      const response = await page.goto(app.url + path, { waitUntil: 'networkidle' });
      page.removeAllListeners('requestfinished');
      if (response?.status() !== 200) faults.push(`${path} answers ${response?.status()}`);
      if (response?.headers()['content-encoding'] === undefined) faults.push(`${path} is plain`);
      for (const [type, budget] of Object.entries(BUDGET)) {
        const ofType = loaded.filter((one) => one.type === type);
        const bytes = ofType.reduce((sum, one) => sum + one.bytes, 0);
        if (bytes > budget * 1_000) faults.push(`${path} has ${bytes} bytes of ${type}`);
        if (ofType.length !== 1) faults.push(`${path} loads ${ofType.length} of ${type}`);
      }
      const foreign = loaded.filter(({ url }) => !url.startsWith(app.url));
      faults.push(...foreign.map(({ url }) => `${path} loads ${url}`));
    }
    expect(faults).toEqual([]);
  }, 120_000);
});
