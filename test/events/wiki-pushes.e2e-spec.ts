import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_ACTIONS, EVENT_TARGETS } from '../../src/core/activity/event.entity.js';
import { cloneUrl, makeGroup, makeMember, makeProject } from '../git-http/world.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeAdmin, makeToken } from '../support/factories.js';
import { type GitSandbox, makeGitSandbox } from '../support/git.js';

let app: TestApp;
let git: GitSandbox;
beforeAll(async () => {
  [app, git] = await Promise.all([sharedTestApp(), makeGitSandbox()]);
});
afterAll(async () => {
  await git.remove();
});

let works = 0;

/** Creates a project with an empty wiki, and a Developer's first push. */
async function setUp() {
  const project = await makeProject(app);
  const { user, token } = await makeMember(app, project, 'developer');
  return { project, user, ...(await makeWork(`${project.fullPath}.wiki`, token)) };
}

async function makeWork(path: string, token: string) {
  const directory = `wiki${(works += 1)}`;
  await git.run(['init', '--quiet', directory]);
  await git.run(['remote', 'add', 'origin', cloneUrl(app, path, token)], directory);
  const write = async (files: Record<string, string | null>): Promise<void> => {
    for (const [name, content] of Object.entries(files)) {
      const file = join(git.path, directory, name);
      await mkdir(dirname(file), { recursive: true });
      await (content === null ? rm(file) : writeFile(file, content));
    }
    await git.run(['add', '--all'], directory);
    await git.run(['commit', '--quiet', '-m', 'Pages'], directory);
  };
  const push = (...refs: string[]) =>
    git.run(['push', '--quiet', 'origin', ...(refs.length === 0 ? ['main'] : refs)], directory);
  return { directory, write, push };
}

interface WikiEvent {
  author_id: number;
  action: number;
  target_id: number;
  path: string;
}

function wikiEvents({ id }: { id: number }): Promise<WikiEvent[]> {
  return app.dataSource.query<WikiEvent[]>(
    `SELECT e.author_id, e.action, e.target_id, w.path FROM events e
     JOIN wiki_pages w ON w.id = e.target_id AND w.project_id = e.project_id
     WHERE e.project_id = $1 AND e.target_type = $2 ORDER BY e.id`,
    [id, EVENT_TARGETS.wiki_page],
  );
}

async function told(project: { id: number }): Promise<unknown[]> {
  const words = new Map(Object.entries(EVENT_ACTIONS).map(([word, value]) => [value, word]));
  const events = await wikiEvents(project);
  return events.map(({ action, path }) => [words.get(action as never), path]);
}

describe('a push to the wiki of a project', () => {
  it('leaves an event of the pusher for each page that it changes', async () => {
    const { project, user, write, push } = await setUp();
    await write({ 'home.md': 'a', 'guides/Two words.asciidoc': 'b', 'logo.png': 'c' });
    await push();
    await write({ 'home.md': 'changed', 'new.rdoc': 'd', 'logo.png': 'changed' });
    await push();
    await write({ 'home.md': null, 'guides/Two words.asciidoc': 'changed' });
    await push();
    expect(await told(project)).toEqual([
      ['created', 'guides/Two words.asciidoc'],
      ['created', 'home.md'],
      ['updated', 'home.md'],
      ['created', 'new.rdoc'],
      ['updated', 'guides/Two words.asciidoc'],
      ['destroyed', 'home.md'],
    ]);
    const events = await wikiEvents(project);
    expect(new Set(events.map((event) => event.author_id))).toEqual(new Set([user.id]));
    const homes = events.filter(({ path }) => path === 'home.md');
    expect(new Set(homes.map((event) => event.target_id)).size).toBe(1);
  });

  it('leaves one event for a page, however many commits change it', async () => {
    const { project, write, push } = await setUp();
    await write({ 'home.md': 'a' });
    await push();
    await write({ 'home.md': 'b', 'gone.md': 'x' });
    await write({ 'home.md': 'c', 'gone.md': null });
    await push();
    expect(await told(project)).toEqual([
      ['created', 'home.md'],
      ['updated', 'home.md'],
    ]);
  });

  it('leaves events for no more than 100 pages', async () => {
    const { project, write, push } = await setUp();
    const pages = Array.from(
      { length: 150 },
      (_, index) => `page-${String(index).padStart(3, '0')}`,
    );
    await write(Object.fromEntries(pages.map((page) => [`${page}.md`, page])));
    await push();
    const events = await told(project);
    expect(events).toHaveLength(100);
    expect(events.at(-1)).toEqual(['created', 'page-099.md']);
  });

  it('takes names that are no UTF-8, and none that are longer than pages may be called', async () => {
    const { project, directory, push } = await setUp();
    const blob = await git.run(['hash-object', '-w', '--stdin'], directory);
    const long = `${'a'.repeat(250)}/`.repeat(9);
    const tree = await makeTree(directory, [
      Buffer.from(`100644 blob ${blob}\t`),
      Buffer.from([0xe9, 0x2e, 0x6d, 0x64, 0]),
      Buffer.from(`100644 blob ${blob}\t`),
      Buffer.from([0xea, 0x2e, 0x6d, 0x64, 0]),
      Buffer.from(`100644 blob ${blob}\tzwei\nZeilen.md\0`),
    ]);
    const commit = await git.run(['commit-tree', '-m', 'Odd', tree], directory);
    await git.run(['update-ref', 'refs/heads/main', commit], directory);
    await git.run(['read-tree', 'main'], directory);
    const entry = `100644,${blob},${long}x.md`;
    await git.run(['update-index', '--add', '--cacheinfo', entry], directory);
    await git.run(['commit', '--quiet', '-m', 'Long'], directory);
    await push();
    expect(await told(project)).toEqual([
      ['created', 'zwei\nZeilen.md'],
      ['created', '\ufffd.md'],
    ]);
  });

  it('leaves none of other branches, and none of groups', async () => {
    const { project, write, push } = await setUp();
    await write({ 'home.md': 'a' });
    await push();
    await write({ 'home.md': 'b' });
    await push('main:draft', 'main:refs/tags/v1');
    expect(await told(project)).toEqual([['created', 'home.md']]);
    const group = await makeGroup(app, { visibility: 20 });
    const { user } = await makeAdmin(app);
    const work = await makeWork(`${group.fullPath}.wiki`, await makeToken(app, user));
    await work.write({ 'home.md': 'a' });
    await work.push();
    const events = 'SELECT target_type FROM events WHERE author_id = $1 AND target_type = $2';
    const left = await app.dataSource.query<unknown[]>(events, [user.id, EVENT_TARGETS.wiki_page]);
    expect(left).toEqual([]);
  });
});

async function makeTree(directory: string, entries: Buffer[]): Promise<string> {
  const list = join(git.path, directory, '.git', 'entries');
  await writeFile(list, Buffer.concat(entries));
  const command = `git mktree -z < ${JSON.stringify(list)}`;
  return git.run(['-c', `alias.make=!${command}`, 'make'], directory);
}
