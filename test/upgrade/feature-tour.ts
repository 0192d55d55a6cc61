import { expect } from '@jest/globals';
import { api, type ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { unique } from '../support/factories.js';
import { makeGitSandbox } from '../support/git.js';
import { pageClient } from '../support/page-client.js';
import { sessionValue, signIn } from '../support/sign-in.js';
import type { FaultStack } from '../faults/support/stack.js';

const ROOT = { password: 'plum-orbit-kettle-42', token: `svcpat-${'upgrade0'.repeat(4)}` };
/** Makes `guildhall setup` create the administrator of the tour. */
export const SETUP_ENV = {
  INITIAL_ROOT_PASSWORD: ROOT.password,
  INITIAL_ROOT_TOKEN: ROOT.token,
};

const PATIENCE = { seconds: 60, everyMs: 100 };

interface Project {
  id: number;
  path_with_namespace: string;
}

/** Uses the features over HTTP as people, programs and Git do; throws when one does not work. */
export async function tourFeatures(
  { config }: Pick<FaultStack, 'config'>,
  url: string,
): Promise<void> {
  const root = api(url, ROOT.token);
  const created = await root.post('/projects', { name: unique('tour') }).expect(201);
  const project = created.body as Project;
  await push(url, project);
  await root.post(`/projects/${project.id}/issues`, { title: 'One', labels: 'bug' }).expect(201);
  await postAlert(url, root, project);
  await reportError(url, root, project);
  await move(root, project);
  const response = await signIn({ url, config }, 'root', ROOT);
  const pages = pageClient({ url, config }, sessionValue(response));
  const ofProject = ['', '/-/issues', '/-/alert_management', '/-/error_tracking', '/-/activity'];
  const paths = ofProject.map((path) => `/${project.path_with_namespace}${path}`);
  for (const path of ['/', '/admin', '/admin/storage_moves', '/search?search=one', ...paths]) {
    const { status } = await pages.get(path);
    expect([path, status]).toEqual([path, 200]);
  }
}

async function push(url: string, { path_with_namespace: path }: Project): Promise<void> {
  const sandbox = await makeGitSandbox();
  const remote = new URL(`${url}/${path}.git`);
  Object.assign(remote, { username: 'root', password: ROOT.token });
  try {
    await sandbox.run(['init', '--quiet', 'work']);
    const commit = await sandbox.commit('work', 'a.txt', 'a');
    await sandbox.run(['push', '--quiet', remote.href, 'main'], 'work');
    const references = await sandbox.run(['ls-remote', remote.href, 'refs/heads/main']);
    expect(references).toBe(`${commit}\trefs/heads/main`);
  } finally {
    await sandbox.remove();
  }
}

async function postAlert(url: string, root: ApiClient, { id }: Project): Promise<void> {
  const path = `/projects/${id}/alert_management`;
  const integration = { name: 'Tour', active: true };
  const { body } = await root.post(`${path}/http_integrations`, integration).expect(201);
  const { url: hook, token } = body as { url: string; token: string };
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const alert = JSON.stringify({ title: 'Disk full', severity: 'high' });
  const target = new URL(new URL(hook).pathname, url);
  expect((await fetch(target, { method: 'POST', headers, body: alert })).status).toBe(200);
  const alerts = await root.get(`${path}_alerts`).expect(200);
  expect(alerts.body).toEqual([expect.objectContaining({ title: 'Disk full', event_count: 1 })]);
}

async function reportError(url: string, root: ApiClient, { id }: Project): Promise<void> {
  const path = `/projects/${id}/error_tracking`;
  await root.patch(`${path}/settings`, { active: true, integrated: true }).expect(200);
  const keys = await root.get(`${path}/client_keys`).expect(200);
  const [key] = keys.body as { public_key: string }[];
  const event = {
    event_id: crypto.randomUUID().replaceAll('-', ''),
    platform: 'node',
    exception: { values: [{ type: 'TypeError', value: 'order 17 has no address' }] },
  };
  const collector = `${url}/api/v4/error_tracking/collector/api/${id}/store/`;
  const sent = await fetch(`${collector}?sentry_version=7&sentry_key=${key?.public_key}`, {
    method: 'POST',
    body: JSON.stringify(event),
  });
  expect(sent.status).toBe(200);
  const errors = await root.get(`${path}/errors?query=address`).expect(200);
  expect(errors.body).toEqual([expect.objectContaining({ count: 1 })]);
}

/** Moves the repository and waits until the worker has finished. */
async function move(root: ApiClient, { id }: Project): Promise<void> {
  const path = `/projects/${id}/repository_storage_moves`;
  const { body } = await root.get(`/projects/${id}`).expect(200);
  const { repository_storage: storage } = body as { repository_storage: string };
  const destination = storage === 'default' ? 'storage2' : 'default';
  await root.post(path, { destination_storage_name: destination }).expect(201);
  await eventually(async () => {
    const moves = await root.get(path).expect(200);
    expect(moves.body).toEqual([expect.objectContaining({ state: 'finished' })]);
  }, PATIENCE);
}
