import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { makeGitSandbox, type GitSandbox } from '../support/git.js';
import { makeMovableGroup, makeMovableSnippet } from '../support/storage-move-factories.js';
import { startTestWorker } from '../support/worker.js';
import { clientOf, idsOf, refusalOf, type Client } from './client.js';

const TO_STORAGE2 = { destinationStorageName: 'storage2' };

let app: OwnTestApp;
let worker: INestApplicationContext;
let sandbox: GitSandbox;
let admin: MadeActor;
let client: Client;
beforeAll(async () => {
  app = await startTestApp();
  [worker, sandbox, admin] = await Promise.all([
    startTestWorker(app),
    makeGitSandbox(),
    makeAdmin(app),
  ]);
  client = clientOf(app, admin);
});
afterAll(async () => {
  await worker.close();
  await Promise.all([app.close(), sandbox.remove()]);
});

/** Waits as an application does: it asks until the move has ended. */
async function untilFinished(show: () => Promise<{ state: string }>): Promise<void> {
  await eventually(async () => expect((await show()).state).toBe('finished'), { seconds: 20 });
}

describe('storage moves', () => {
  it('take a pushed repository to another storage, seen from the list of its jobs', async () => {
    const project = await client.Projects.create({ name: unique('project-') });
    const remote = new URL(String(project.http_url_to_repo));
    Object.assign(remote, { username: 'oauth2', password: admin.token });
    await sandbox.run(['init', '--quiet', 'work']);
    const pushed = await sandbox.commit('work', 'README.md', '# Moved');
    await sandbox.run(['push', '--quiet', remote.href, 'main'], 'work');
    const moves = client.ProjectRepositoryStorageMoves;
    const move = await moves.schedule('default', { projectId: project.id, ...TO_STORAGE2 });
    expect(move).toMatchObject({
      state: 'scheduled',
      source_storage_name: 'default',
      destination_storage_name: 'storage2',
      project: { id: project.id },
    });
    await untilFinished(() => moves.show(move.id));
    const heads = await sandbox.run(['ls-remote', remote.href, 'refs/heads/main']);
    expect(heads.split('\t')[0]).toBe(pushed);
    const own = { projectId: project.id };
    expect(idsOf(await moves.all(own))).toEqual([move.id]);
    expect(await moves.show(move.id, own)).toMatchObject({ state: 'finished' });
    expect(idsOf(await moves.all())).toContain(move.id);
    const [job] = await client.Jobs.all(project.id);
    expect(job).toMatchObject({ status: 'success', stage: 'storage', subject_id: move.id });
  });

  it('take snippets and groups, too', async () => {
    const { user } = await makeActor(app);
    const [snippet, group] = await Promise.all([
      makeMovableSnippet(app, user),
      makeMovableGroup(app),
    ]);
    const ofSnippet = client.SnippetRepositoryStorageMoves;
    const snippetMove = await ofSnippet.schedule('default', {
      snippetId: snippet.id,
      ...TO_STORAGE2,
    });
    const ofGroup = client.GroupRepositoryStorageMoves;
    const groupMove = await ofGroup.schedule('default', { groupId: group.id, ...TO_STORAGE2 });
    await untilFinished(() => ofSnippet.show(snippetMove.id, { snippetId: snippet.id }));
    await untilFinished(() => ofGroup.show(groupMove.id, { groupId: group.id }));
    expect(idsOf(await ofSnippet.all({ snippetId: snippet.id }))).toEqual([snippetMove.id]);
    expect(idsOf(await ofGroup.all({ groupId: group.id }))).toEqual([groupMove.id]);
  });

  it('tell the application why they cannot be', async () => {
    const project = await client.Projects.create({ name: unique('project-') });
    const unknown = { projectId: project.id, destinationStorageName: 'nowhere' };
    const move = client.ProjectRepositoryStorageMoves.schedule('default', unknown);
    const { status, description } = await refusalOf(move);
    expect(status).toBe(400);
    expect(JSON.parse(description)).toMatchObject({
      destination_storage_name: [expect.any(String)],
    });
    const others = clientOf(app, await makeActor(app)).ProjectRepositoryStorageMoves;
    expect((await refusalOf(others.all())).status).toBe(403);
  });
});
