import { mkdir, rename } from 'node:fs/promises';
import { request as send } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { gitOutput } from '../../src/git/git-process.js';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { runCommand } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { makeActor } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { processesIn } from '../support/processes.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';

const SIGNED = {
  GIT_AUTHOR_NAME: 'x',
  GIT_AUTHOR_EMAIL: 'x@example.com',
  GIT_COMMITTER_NAME: 'x',
  GIT_COMMITTER_EMAIL: 'x@example.com',
};

let app: TestApp;
let project: MadeProject;
let repository: string;

beforeAll(async () => {
  app = await sharedTestApp();
  const { user } = await makeActor(app);
  const { namespaceId } = user;
  project = await makeProject(app, { namespaceId, visibility: 'public', files: { a: 'a\n' } });
  const address = { storage: 'default', kind: 'project', containerId: project.id } as const;
  repository = app.app.get(StorageRegistry).absolutePath(address);
});

async function git(args: string[], input = ''): Promise<string> {
  return (await gitOutput(args, { cwd: repository, input, env: SIGNED })).toString().trim();
}

/** Creates a tree that expands to ten billion files. */
async function hugeTree(): Promise<string> {
  let entry = `100644 blob ${await git(['rev-parse', 'main:a'])}`;
  for (let level = 0; level < 10; level += 1) {
    const lines = Array.from({ length: 10 }, (_, at) => `${entry}\t${at}\n`);
    entry = `040000 tree ${await git(['mktree'], lines.join(''))}`;
  }
  return entry.slice('040000 tree '.length);
}

function api(path: string): request.Test {
  return request(app.url).get(`/api/v4/projects/${project.id}/repository/${path}`);
}

describe('a commit of ten billion files', () => {
  let sha: string;
  beforeAll(async () => {
    sha = await git(['commit-tree', '-p', 'main', '-m', 'Many', await hugeTree()]);
    await git(['update-ref', 'refs/heads/many', sha]);
  });

  it('is shown without its oversized changes', async () => {
    const { body } = await api(`commits/${sha}`).expect(200);
    expect(body).toMatchObject({ title: 'Many', stats: null });
    const list = await api('commits?ref_name=many&with_stats=true').expect(200);
    expect((list.body as object[])[0]).toMatchObject({ title: 'Many', stats: null });
    const diff = await api(`commits/${sha}/diff`).expect(400);
    expect(diff.body).toEqual({ message: '400 Bad request - changes are too large to display' });
    const comparison = await api('compare?from=main&to=many').expect(200);
    expect(comparison.body).toMatchObject({ diffs: [], compare_timeout: true });
  });

  it('is listed folder by folder, but not recursively', async () => {
    const { body } = await api('tree?ref=many').expect(200);
    expect(body).toHaveLength(10);
    for (const page of [1, 2]) {
      const refused = await api(`tree?ref=many&recursive=true&page=${page}`).expect(400);
      const reason = 'the tree is too large to list recursively, list its folders instead';
      expect(refused.body).toEqual({ message: `400 Bad request - ${reason}` });
    }
  });

  it('has a page that explains it', async () => {
    const page = await request(app.url).get(`/${project.fullPath}/-/commit/${sha}`).expect(200);
    expect(textOf(page.text)).toContain('These changes are too large to display');
  });
});

describe('a reading whose client disconnects', () => {
  it('ends at once', async () => {
    const info = join(repository, 'objects', 'info');
    await mkdir(info, { recursive: true });
    // Git blocks on a pipe without a writer.
    await runCommand('mkfifo', [join(info, 'alternates')]);
    const address = `${app.url}/api/v4/projects/${project.id}/repository/commits?ref_name=main`;
    const leaving = send(address, { agent: false }).on('error', () => undefined);
    leaving.end();
    await eventually(async () => (await processesIn(repository)).length > 0);
    leaving.destroy();
    await eventually(async () => (await processesIn(repository)).length === 0, { seconds: 5 });
    await rename(join(info, 'alternates'), join(info, 'gone'));
  });
});

describe('commits with messages of megabytes', () => {
  const TITLE = 'x'.repeat(3_000_000);
  beforeAll(async () => {
    let parent = await git(['rev-parse', 'main']);
    for (let count = 0; count < 15; count += 1) {
      parent = await git(['commit-tree', '-p', parent, 'main^{tree}'], `${TITLE}\n\n${TITLE}`);
    }
    await git(['update-ref', 'refs/heads/wordy', parent]);
    await git(['tag', '-a', '-F', '-', 'wordy-tag', parent], TITLE);
  });

  it('are truncated in lists', async () => {
    const { body, text } = await api('commits?ref_name=wordy').expect(200);
    expect(body).toHaveLength(16);
    expect((body as { message: string }[])[0]?.message).toMatch(/^x{60000}x*…$/);
    expect(text.length).toBeLessThan(2_000_000);
    const tags = await api('tags').expect(200);
    expect(tags.text.length).toBeLessThan(2_000_000);
  });

  it('have pages of limited size', async () => {
    for (const path of ['commits/wordy', 'commit/wordy', 'compare?from=main&to=wordy', 'tags']) {
      const page = await request(app.url).get(`/${project.fullPath}/-/${path}`).expect(200);
      expect([path, page.text.length < 500_000]).toEqual([path, true]);
    }
  });
});
