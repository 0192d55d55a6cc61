import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, unique } from '../support/factories.js';
import { clientOf, idsOf, refusalOf, type Client } from './client.js';

let app: OwnTestApp;
let client: Client;
beforeAll(async () => {
  app = await startTestApp();
  client = clientOf(app, await makeActor(app));
});
afterAll(() => app.close());

async function makeProject(): Promise<{ id: number; path: string }> {
  const project = await client.Projects.create({ name: unique('project-') });
  return { id: project.id, path: String(project.path_with_namespace) };
}

describe('error tracking settings', () => {
  it('are made, changed and shown', async () => {
    const { id, path } = await makeProject();
    const shown = {
      active: true,
      project_name: null,
      tracker_external_url: null,
      api_url: null,
      integrated: true,
    };
    expect(await client.ErrorTrackingSettings.create(id, true, true)).toEqual(shown);
    expect(await client.ErrorTrackingSettings.show(path)).toEqual(shown);
    const off = { ...shown, active: false };
    expect(await client.ErrorTrackingSettings.edit(path, false)).toEqual(off);
    expect(await client.ErrorTrackingSettings.edit(id, true, { integrated: true })).toEqual(shown);
  });

  it('are refused in words that the library passes on', async () => {
    const { id } = await makeProject();
    expect(await refusalOf(client.ErrorTrackingSettings.show(id))).toEqual({
      status: 404,
      description: '404 Error Tracking Setting Not Found',
    });
    const unknown = client.ErrorTrackingSettings.edit(id, true, { integrated: false });
    const { status, description } = await refusalOf(unknown);
    expect(status).toBe(400);
    expect(description).toContain('api_url');
  });
});

describe('client keys', () => {
  it('are made, listed page by page, and removed', async () => {
    const { id, path } = await makeProject();
    await client.ErrorTrackingSettings.create(id, true, true);
    const made = await client.ErrorTrackingClientKeys.create(path);
    expect(made).toEqual({
      id: expect.any(Number),
      active: true,
      public_key: expect.stringMatching(/^glet_[0-9a-f]{32}$/),
      tracker_dsn: `http://${made.public_key}@${new URL(app.url).host}/api/v4/error_tracking/collector/${id}`,
    });
    const [first, ...more] = await client.ErrorTrackingClientKeys.all(id, { perPage: 1 });
    expect(more).toEqual([made]);
    // The library has no place for the id of the key, but sends on what else it is given.
    const chosen = { showExpanded: false as const, keyId: first?.id };
    await client.ErrorTrackingClientKeys.remove(id, chosen);
    expect(idsOf(await client.ErrorTrackingClientKeys.all(path))).toEqual([made.id]);
  });
});
