import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gitOutput } from '../../src/git/git-process.js';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { runCommand } from '../support/command.js';
import { makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { makeOwnedGroup, makeProject, type MadeProject } from '../support/project-factories.js';
import { Document, follows, type Replacements } from './document.js';

follows('docs/tutorials/migrate-from-gitea.md', 'sh');
follows('docs/tutorials/migrate-from-gitlab.md', 'sh');

let app: TestApp;
let folder: string;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  folder = await mkdtemp(join(tmpdir(), 'guildhall-migration-'));
  admin = await makeAdmin(app);
});
afterAll(() => rm(folder, { recursive: true }));

/** The project to migrate, with a first commit and another ref of it. */
async function makeSource(ref: string): Promise<MadeProject> {
  const group = await makeOwnedGroup(app, admin);
  const files = { 'README.md': '# Shop\n' };
  const source = await makeProject(app, { namespaceId: group.id, files });
  await addRef(source, ref);
  return source;
}

async function addRef({ id: containerId, storage }: MadeProject, ref: string): Promise<void> {
  const path = app.app.get(StorageRegistry).absolutePath({ storage, kind: 'project', containerId });
  await gitOutput(['update-ref', ref, 'refs/heads/main'], { cwd: path });
}

/** Host and credentials of both servers, which are one here; clones go to a folder of the test. */
function servers(source: MadeProject, clone: string): Replacements {
  const { host } = new URL(app.url);
  const old = encodeURIComponent(source.fullPath);
  return [
    [
      /https:\/\/(?:oauth2:)?GIT\w+_TOKEN@git\w+\.example\.com\/acme\/shop\.git/g,
      `http://oauth2:${admin.token}@${host}/${source.fullPath}.git ${clone}`,
    ],
    [/git -C shop\.git/g, `git -C ${clone}`],
    [
      /https:\/\/gitlab\.example\.com\/api\/v4\/projects\/acme%2Fshop/g,
      `${app.url}/api/v4/projects/${old}`,
    ],
    ['https://oauth2:$TOKEN@code.example.com', `http://oauth2:$TOKEN@${host}`],
    ['https://code.example.com/api', `${app.url}/api`],
    ['GITLAB_TOKEN', admin.token],
    ['svcpat-…', admin.token],
  ];
}

async function refsOf(path: string): Promise<string[]> {
  const url = `http://oauth2:${admin.token}@${new URL(app.url).host}/${path}.git`;
  const { stdout } = await runCommand('git', ['ls-remote', url]);
  return stdout.split('\n').flatMap((line) => line.split('\t').slice(1));
}

describe('the tutorial migrate-from-gitlab', () => {
  it('copies branches, tags, labels, milestones, issues and comments, but no mirror', async () => {
    const source = await makeSource('refs/merge-requests/1/head');
    await addRef(source, 'refs/tags/v1.0.0');
    const { api } = admin;
    const at = `/projects/${source.id}`;
    await api.post(`${at}/labels`, { name: 'bug', color: '#dc143c' }).expect(201);
    const milestone = await api.post(`${at}/milestones`, { title: 'Spring' }).expect(201);
    const created_at = '2024-05-06T07:08:09.000Z';
    const { id: milestone_id } = milestone.body as { id: number };
    const issue = { iid: 7, title: 'Checkout hangs', labels: 'bug', created_at, milestone_id };
    await api.post(`${at}/issues`, { ...issue, description: 'Every time.' }).expect(201);
    await api.post(`${at}/issues/7/notes`, { body: 'Fixed.', created_at }).expect(201);
    await api.put(`${at}/issues/7`, { state_event: 'close' }).expect(200);

    const name = unique('acme');
    const tutorial = new Document('docs/tutorials/migrate-from-gitlab.md', [
      ...servers(source, join(folder, 'gitlab.git')),
      [/acme/g, name],
    ]);
    expect(await tutorial.run()).toContain('#7 Checkout hangs');
    expect(await refsOf(`${name}/shop`)).toEqual(['HEAD', 'refs/heads/main', 'refs/tags/v1.0.0']);
    const copy = `/projects/${name}%2Fshop`;
    const { body: issues } = await api.get(`${copy}/issues`).expect(200);
    expect(issues).toEqual([
      expect.objectContaining({
        iid: 7,
        title: 'Checkout hangs',
        description: `_${admin.user.name} (${admin.user.username}):_\n\nEvery time.`,
        state: 'closed',
        created_at,
        labels: ['bug'],
        milestone: expect.objectContaining({ title: 'Spring' }),
      }),
    ]);
    const { body: notes } = await api.get(`${copy}/issues/7/notes`).expect(200);
    expect(notes).toContainEqual(
      expect.objectContaining({ body: expect.stringContaining('Fixed.'), created_at }),
    );

    const remote = `http://oauth2:${admin.token}@${new URL(app.url).host}/${name}/shop.git`;
    const mirror = ['-C', join(folder, 'gitlab.git'), 'push', '--mirror', remote];
    const { code, stderr } = await runCommand('git', mirror);
    expect([code, stderr]).toEqual([1, expect.stringContaining('refs that the server keeps')]);
  });
});

describe('the tutorial migrate-from-gitea', () => {
  it('copies everything that a mirror of Gitea has', async () => {
    const source = await makeSource('refs/pull/1/head');
    const name = unique('shop');
    const replacements: Replacements = [
      ...servers(source, join(folder, 'gitea.git')),
      ['-d name=shop', `-d name=${name}`],
      ['root/shop', `${admin.user.username}/${name}`],
    ];
    await new Document('docs/tutorials/migrate-from-gitea.md', replacements).run();
    expect(await refsOf(`${admin.user.username}/${name}`)).toEqual([
      'HEAD',
      'refs/heads/main',
      'refs/pull/1/head',
    ]);
  });
});
