import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';
import {
  makeMember,
  makeOwnedGroup,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';
import { cloneOf, type WorkTree } from '../support/pushed-repository.js';
import { XSS_PAYLOADS } from '../support/xss-payloads.js';
import { dialogsOn } from './foreign.js';
import { faultsAt, faultsOf } from './inspect.js';

const README = `# Loom

Weaves *cloth* from cards. Read [the guide](docs/guide.md) first.

\`\`\`sh
loom weave --cards patterns/bernoulli.cards --warp 400 --weft 1200 --colour madder --colour indigo
\`\`\`

| Part | Count |
| --- | ---: |
| Warp | 400 |

- [x] Build the loom
- [ ] Punch the cards
`;
const LONG = 'for every card that is punched the loom lifts another thread of the warp; '.repeat(4);
const CODE = `export function weave(cards: Card[]): Cloth {
  const cloth = new Cloth();
  for (const card of cards) {
    cloth.lift(card.holes); // ${LONG}
  }
  return cloth;
}
`;

let app: BrowserApp;
let user: MadeUser;
let project: MadeProject;
let tree: WorkTree;
let base: string;

async function write(path: string, content: string | Buffer): Promise<void> {
  const file = join(tree.sandbox.path, 'work', path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, content);
}

beforeAll(async () => {
  app = await sharedBrowserApp();
  user = await makeUser(app, { username: unique('ada'), name: 'Ada Lovelace' });
  const group = await makeOwnedGroup(app, { user }, { name: 'Mill' });
  const files = { 'README.md': README, 'docs/guide.md': '# Guide\n', 'src/weave.ts': CODE };
  const options = { namespaceId: group.id, name: 'Analytical loom', files };
  project = await makeProject(app, { ...options, description: 'Cloth from punched cards' });
  await makeMember(app, { project, user, role: 'owner' });
  base = `${app.url}/${project.fullPath}/-`;
  tree = await cloneOf(app, project);
  await tree.git('branch', 'first');
  await write('LICENSE', 'Do as you like\n');
  await write('src/cards/reader.ts', 'export const HOLES = 8;\n');
  await tree.git('add', '--all');
  await tree.git('commit', '--quiet', '-m', 'Read cards', '-m', 'Cards come from the hopper.');
  await write('src/weave.ts', CODE.replace('new Cloth()', 'new Cloth({ width: 400 })'));
  await write('docs/pattern.bin', Buffer.from([0, 1, 2]));
  await tree.git('mv', 'LICENSE', 'COPYING');
  await tree.git('rm', '--quiet', 'src/cards/reader.ts');
  await tree.git('add', '--all');
  await tree.git('commit', '--quiet', '-m', 'Weave wider cloth');
  await tree.git('branch', 'feature/wider-cloth');
  await tree.git('tag', '-a', 'v1.0', '-m', 'First cloth');
  await tree.push();
});
afterAll(async () => {
  await tree.sandbox.remove();
  await app.close();
});

const open = (address: string, options?: BrowserContextOptions): Promise<Page> =>
  app.openAs(user, address, options);

describe('a repository in the browser', () => {
  it('is walked through from its README to a file, without a script', async () => {
    const page = await open(`${app.url}/${project.fullPath}`, { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'the guide' }).click();
    await page.getByRole('heading', { name: 'guide.md' }).waitFor();
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Folder: src' }).click();
    await page.getByRole('link', { name: 'File: weave.ts' }).click();
    await page.locator('main', { hasText: 'new Cloth({ width: 400 })' }).waitFor();
    await page.getByLabel('Branch or tag').selectOption('feature/wider-cloth');
    await page.getByRole('button', { name: 'Switch', exact: true }).click();
    await page.waitForURL(`${base}/blob/feature/wider-cloth/src/weave.ts`);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: 'Weave wider cloth' }).first().click();
    await page.locator('main', { hasText: 'const cloth = new Cloth();' }).waitFor();
  });

  it('shows another branch as soon as it is chosen, with a script', async () => {
    const page = await open(`${base}/blob/main/src/weave.ts`);
    expect(await page.getByRole('button', { name: 'Switch', exact: true }).count()).toBe(0);
    await page.getByLabel('Branch or tag').selectOption('feature/wider-cloth');
    await page.waitForURL(`${base}/blob/feature/wider-cloth/src/weave.ts`);
  });

  it.each([
    ['Enter', ['ArrowUp', 'ArrowUp']],
    ['Tab', ['f']],
  ])('shows a branch that is chosen with the keys after %s', async (key, steps) => {
    const page = await open(`${base}/blob/main/src/weave.ts`);
    await page.evaluate(() => {
      document.addEventListener('submit', (event) => {
        event.preventDefault();
        document.title += ' submitted';
      });
    });
    const title = await page.title();
    await page.getByLabel('Branch or tag').focus();
    for (const step of steps) await page.keyboard.press(step);
    expect(await page.getByLabel('Branch or tag').inputValue()).toBe('feature/wider-cloth');
    expect(await page.title()).toBe(title);
    await page.keyboard.press(key);
    expect(await page.title()).toBe(`${title} submitted`);
  });

  it('shows the branch of the page after going back', async () => {
    const page = await open(`${base}/blob/main/src/weave.ts`);
    await page.getByLabel('Branch or tag').selectOption('feature/wider-cloth');
    await page.waitForURL(`${base}/blob/feature/wider-cloth/src/weave.ts`);
    await page.goBack();
    expect(await page.getByLabel('Branch or tag').inputValue()).toBe('main');
  });

  it('takes a comment on a commit', async () => {
    const page = await open(`${base}/commit/main`);
    await page.getByLabel('Comment', { exact: true }).last().fill('Well **woven**');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.locator('strong', { hasText: 'woven' }).waitFor();
    expect(await faultsOf(page, 'code-commit')).toEqual([]);
  });

  it.each([
    ['overview', ''],
    ['tree', '/-/tree/main'],
    ['folder', '/-/tree/feature/wider-cloth/src'],
    ['file', '/-/blob/main/src/weave.ts'],
    ['markdown', '/-/blob/main/README.md'],
    ['binary', '/-/blob/main/docs/pattern.bin'],
    ['commits', '/-/commits/main'],
    ['branches', '/-/branches'],
    ['new-branch', '/-/branches/new'],
    ['tags', '/-/tags'],
    ['compare', '/-/compare?from=main~2&to=main'],
    ['comparison', '/-/compare?from=first&to=feature/wider-cloth'],
  ])('has no barriers and fits a telephone: %s', async (name, path) => {
    const page = await app.pageAs(user);
    const address = `${app.url}/${project.fullPath}${path}`;
    const isUnknown = name === 'compare';
    if (isUnknown) await page.goto(address);
    const faults = isUnknown
      ? await faultsOf(page, `code-${name}`)
      : await faultsAt(page, { name: `code-${name}`, address });
    expect(faults).toEqual([]);
  });

  it('runs nothing of what was pushed', async () => {
    const page = await app.pageAs(user);
    const dialogs = dialogsOn(page);
    const names = ['"><img src=x onerror=alert(1)>', "'><svg onload=alert(1)>", '`{{7*7}}`'];
    for (const name of names) await write(`evil/${name}.md`, XSS_PAYLOADS.join('\n\n'));
    await write('evil/README.md', XSS_PAYLOADS.join('\n\n'));
    await write('evil/page.html', '<script>alert(1)</script>');
    await write('evil/picture.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    await tree.git('switch', '--quiet', '--create', 'evil/"><img-src=x-onerror=alert(1)>');
    await tree.git('add', '--all');
    await tree.git('commit', '--quiet', '-m', XSS_PAYLOADS.slice(0, 40).join('\n'));
    await tree.push();
    const branch = encodeURIComponent('evil/"><img-src=x-onerror=alert(1)>').replace('%2F', '/');
    const file = encodeURIComponent(`${names[0]}.md`);
    const places = ['commit/', 'commits/', 'tree/', 'raw/'].map((kind) => `${kind}${branch}`);
    places[0] = `commit/${await tree.git('rev-parse', 'HEAD')}`;
    places[3] += '/evil/page.html';
    const more = [`tree/${branch}/evil`, `blob/${branch}/evil/${file}`, 'branches'];
    for (const place of [...places, ...more, `raw/${branch}/evil/picture.svg`]) {
      const response = await page.goto(`${base}/${place}`);
      expect([place, response?.status()]).toEqual([place, 200]);
    }
    expect(dialogs).toEqual([]);
  });

  it('broke no rule of the pages on the way', () => {
    expect(app.chrome.complaints()).toEqual([]);
  });
});
