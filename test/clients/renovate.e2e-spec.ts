import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';
import { startPackageRegistry, type PackageRegistry } from './programs/package-registry.js';
import { installRenovate, runRenovate } from './programs/renovate.js';

/** Each in a block of its own: changes of neighbouring lines would conflict. */
const PACKAGE = {
  name: 'shop',
  dependencies: { 'a-clock': '1.0.0' },
  devDependencies: { 'b-paint': '2.0.0' },
  optionalDependencies: { 'c-words': '3.0.0' },
};

let app: OwnTestApp;
let worker: INestApplicationContext;
let registry: PackageRegistry;
let owner: MadeActor;
let project: MadeProject;
let token: string;
beforeAll(async () => {
  await installRenovate();
  [app, registry] = await Promise.all([
    // Renovate shortens descriptions for servers that report an old version.
    startTestApp({ env: { REPORTED_VERSION: '18.4.0' } }),
    startPackageRegistry({
      'a-clock': ['1.0.0', '1.1.0'],
      'b-paint': ['2.0.0', '2.3.0'],
      'c-words': ['3.0.0', '4.0.0'],
    }),
  ]);
  worker = await startTestWorker(app);
  owner = await makeActor(app);
  project = await makeProject(app, {
    namespaceId: owner.user.namespaceId,
    files: { 'package.json': `${JSON.stringify(PACKAGE, null, 2)}\n` },
  });
  const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const bot = { name: 'Renovate', access_level: 40, expires_at: inAMonth };
  const { body } = await owner.api
    .post(`/projects/${project.id}/access_tokens`, {
      ...bot,
      scopes: ['api', 'write_repository'],
    })
    .expect(201);
  token = (body as { token: string }).token;
}, 600_000);
afterAll(async () => {
  await worker.close();
  await registry.close();
  await app.close();
});

interface MergeRequest {
  iid: number;
  title: string;
  source_branch: string;
  sha: string;
  merge_when_pipeline_succeeds: boolean;
}

const path = (): string => `/projects/${project.id}`;

const run = (): Promise<void> =>
  runRenovate({
    project: project.fullPath,
    endpoint: `${app.url}/api/v4/`,
    token,
    registry: registry.url,
  });

async function mergeRequests(state: string): Promise<MergeRequest[]> {
  const { body } = await owner.api.get(`${path()}/merge_requests?state=${state}`).expect(200);
  return body as MergeRequest[];
}

async function titles(state: string): Promise<string[]> {
  return (await mergeRequests(state)).map(({ title }) => title).sort();
}

async function mergeRequestOf(dependency: string): Promise<MergeRequest> {
  const found = (await mergeRequests('all')).find(({ title }) => title.includes(dependency));
  if (found === undefined) throw new Error(`No merge request updates ${dependency}`);
  return found;
}

async function report(dependency: string, state: 'running' | 'success'): Promise<void> {
  const { sha, source_branch: ref } = await mergeRequestOf(dependency);
  const status = { state, ref, name: 'build' };
  await owner.api.post(`${path()}/statuses/${sha}`, status).expect(201);
}

/** The manifest on the default branch. */
async function manifest(): Promise<unknown> {
  const file = `${path()}/repository/files/package.json/raw?ref=main`;
  const { text } = await owner.api.get(file).expect(200);
  return JSON.parse(text);
}

describe('Renovate', () => {
  it('opens an onboarding merge request', async () => {
    await run();
    const [onboarding, ...more] = await mergeRequests('opened');
    expect(more).toEqual([]);
    const names = { title: 'Configure Renovate', source_branch: 'renovate/configure' };
    expect(onboarding).toMatchObject(names);
    await owner.api.put(`${path()}/merge_requests/${onboarding?.iid}/merge`).expect(200);
    const minor = { matchUpdateTypes: ['minor'], automerge: true };
    const config = { extends: ['config:recommended'], packageRules: [minor] };
    await owner.api
      .put(`${path()}/repository/files/renovate.json`, {
        branch: 'main',
        commit_message: 'Automerge minor updates',
        content: JSON.stringify(config),
      })
      .expect(200);
  }, 180_000);

  it('opens a merge request for each outdated dependency, and merges nothing untested', async () => {
    await run();
    const updates = [
      'Update dependency a-clock to v1.1.0',
      'Update dependency b-paint to v2.3.0',
      'Update dependency c-words to v4',
    ];
    expect(await titles('opened')).toEqual(updates);
    await run();
    expect(await titles('opened')).toEqual(updates);
    expect(await manifest()).toEqual(PACKAGE);
  }, 180_000);

  it('enables auto-merge while a pipeline runs', async () => {
    await report('a-clock', 'running');
    await run();
    expect(await mergeRequestOf('a-clock')).toMatchObject({ merge_when_pipeline_succeeds: true });
    expect(await manifest()).toEqual(PACKAGE);
    await report('a-clock', 'success');
    await eventually(
      async () => expect(await titles('merged')).toContain('Update dependency a-clock to v1.1.0'),
      {
        seconds: 30,
      },
    );
  }, 180_000);

  it('rebases other updates, and merges them after their pipelines succeeded', async () => {
    await run();
    await report('b-paint', 'success');
    await run();
    expect(await titles('opened')).toEqual(['Update dependency c-words to v4']);
    expect(await manifest()).toEqual({
      ...PACKAGE,
      dependencies: { 'a-clock': '1.1.0' },
      devDependencies: { 'b-paint': '2.3.0' },
    });
  }, 180_000);
});
