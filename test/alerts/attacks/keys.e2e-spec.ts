import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newIntegrationKey } from '../../../src/alerts/alert-integrations.repository.js';
import { isSameKey } from '../../../src/alerts/webhook/integration-lookup.service.js';
import type { Scope } from '../../../src/core/access/scopes.js';
import {
  makeIntegration,
  makeWebhook,
  postAlert,
  storedAlerts,
  storedDeliveries,
} from '../../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { makeActor, makeToken, type MadeActor } from '../../support/factories.js';
import { makeApplication, makeOAuthTokens } from '../../support/oauth-factories.js';
import { signedIn } from '../../support/page-client.js';
import { makeProject, type MadeProject } from '../../support/project-factories.js';

let app: OwnTestApp;
let owner: MadeActor;
let project: MadeProject;
const lines: string[] = [];
beforeAll(async () => {
  app = await startTestApp({
    env: { LOG_LEVEL: 'debug' },
    logDestination: { write: (line) => void lines.push(line) },
  });
  owner = await makeActor(app);
  project = await makeProject(app, { namespaceId: owner.user.namespaceId });
});
afterAll(() => app.close());

interface Body {
  id: number;
  token: string;
  url: string;
}

const integrations = (): string => `/projects/${project.id}/alert_management/http_integrations`;

async function createIntegration(): Promise<Body> {
  const { body } = await owner.api.post(integrations(), { name: 'Disk', active: true }).expect(201);
  return body as Body;
}

/** All that the database holds, as text. */
async function everythingStored(): Promise<string> {
  const tables = await app.dataSource.query<{ name: string }[]>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const [row] = await app.dataSource.query<[{ text: string | null }]>(
      `SELECT string_agg(t::text, ' ') AS text FROM ${name} t`,
    );
    texts.push(row.text ?? '');
  }
  return texts.join(' ');
}

describe('the key of an integration', () => {
  it('is in no log, no delivery, no audit entry, no error and no address', async () => {
    const made = await createIntegration();
    const { id, token, url } = made;
    await postAlert(url, token, { title: 'Right' });
    await postAlert(`${url}?token=${token}&private_token=${token}`, token, { title: 'Query' });
    await postAlert(url, token, '{"title":');
    await postAlert(url, `${token}x`, { title: 'Wrong' });
    await owner.api.put(`${integrations()}/${id}`, { name: 'Other', token });
    await owner.api.put(`${integrations()}/${id}`, { active: 'perhaps', token });
    await owner.api.get(`/user?private_token=${token}`);
    const { body: reset } = await owner.api.post(`${integrations()}/${id}/reset_token`).expect(200);
    const answers = [
      await (await postAlert(url, token, { title: 'Old' })).text(),
      await (await fetch(url.replace('.json', ''), { method: 'POST' })).text(),
    ];
    const secrets = [token, (reset as Body).token];
    await eventually(async () => {
      expect((await storedDeliveries(app, { id })).length).toBeGreaterThanOrEqual(4);
    });
    const stored = await everythingStored();
    const base64 = Buffer.from(token).toString('base64').slice(0, 40);
    const hex = Buffer.from(token).toString('hex');
    for (const secret of [...secrets, base64, hex]) {
      expect(lines.join('')).not.toContain(secret);
      expect(stored).not.toContain(secret);
      expect(answers.join()).not.toContain(secret);
    }
    expect(stored).toContain('alert_integration_token_reset');
    expect(lines.join('')).toContain(new URL(url).pathname);
  });

  it('is shown on pages without referrer and cache', async () => {
    const { id, token } = await createIntegration();
    const pages = await signedIn(app, owner.user);
    const path = `/${project.fullPath}/-/settings/alert_integrations/${id}`;
    const { headers, text } = await pages.get(path).expect(200);
    expect(text).toContain(token);
    expect(headers['referrer-policy']).toMatch(/^(same-origin|no-referrer|strict-origin)/);
    expect(headers['cache-control']).toMatch(/no-store|private/);
    for (const end of ['/test', '/mapping', '/deliveries']) {
      expect((await pages.get(path + end).expect(200)).text).not.toContain(token);
    }
  });

  it('opens nothing but its own webhook', async () => {
    const { token } = await createIntegration();
    const ways: Record<string, string>[] = [
      { 'PRIVATE-TOKEN': token },
      { Authorization: `Bearer ${token}` },
      { 'JOB-TOKEN': token },
      {
        Authorization: `Basic ${Buffer.from(`${owner.user.username}:${token}`).toString('base64')}`,
      },
    ];
    for (const headers of ways) {
      for (const path of ['/api/v4/user', `/api/v4/projects/${project.id}`, '/oauth/userinfo']) {
        const { status } = await fetch(app.url + path, { headers });
        expect([path, [401, 404].includes(status)]).toEqual([path, true]);
      }
    }
    const repository = `${app.url}/${project.fullPath}.git/info/refs?service=git-upload-pack`;
    const basic = Buffer.from(`${owner.user.username}:${token}`).toString('base64');
    expect((await fetch(repository, { headers: { Authorization: `Basic ${basic}` } })).status).toBe(
      401,
    );
  });

  it("is no user's token: those open no webhook", async () => {
    const { project: watched, integration } = await makeWebhook(app);
    const application = await makeApplication(app);
    const tokens = [
      owner.token,
      await makeToken(app, owner.user, { kind: 'job', projectId: watched.id }),
      await makeToken(app, owner.user, { kind: 'project', projectId: watched.id }),
      (await makeOAuthTokens(app, { application, user: owner.user })).access_token,
      'undefined',
      'null',
      '',
      ' ',
    ];
    for (const token of tokens) {
      expect((await postAlert(integration.url, token, { title: 'A' })).status).toBe(401);
    }
    const pages = await signedIn(app, owner.user);
    const { status } = await pages.post(new URL(integration.url).pathname, { title: 'A' });
    expect(status).toBe(401);
    expect(await storedAlerts(app, watched)).toEqual([]);
  });

  it.each<Scope>(['read_api', 'read_user', 'read_repository', 'write_repository', 'self_rotate'])(
    'is not reset, nor anything else changed, with a token of scope %s',
    async (scope) => {
      const { id, url, token } = await createIntegration();
      await postAlert(url, token, { title: `Alert for ${scope}` });
      const limited = await makeToken(app, owner.user, { scopes: [scope] });
      const one = `${integrations()}/${id}`;
      const base = `/projects/${project.id}`;
      const writes: [string, string][] = [
        ['POST', integrations()],
        ['PUT', one],
        ['DELETE', one],
        ['POST', `${one}/reset_token`],
        ['POST', `${one}/test_alert`],
        ['POST', `${one}/deliveries/1/replay`],
        ['PUT', `${base}/alert_management/settings`],
        ['PUT', `${base}/alert_management_alerts/1`],
        ['POST', `${base}/alert_management_alerts/1/issue`],
        ['DELETE', `${base}/alert_management_alerts/1/issue`],
        ['POST', `${base}/alert_management_alerts/1/notes`],
        ['POST', `${base}/issues`],
        ['POST', `${base}/environments`],
      ];
      for (const [method, path] of writes) {
        const answer = await fetch(`${app.url}/api/v4${path}`, {
          method,
          headers: { 'PRIVATE-TOKEN': limited, 'Content-Type': 'application/json' },
          body: '{"name":"x","title":"x","body":"x","status":"resolved","active":true}',
        });
        expect([path, answer.status]).toEqual([path, 403]);
      }
      expect((await postAlert(url, token, { title: 'Still' })).status).toBe(200);
    },
  );

  it('is one of those that were answered when many reset it at once', async () => {
    const { id, url, token } = await createIntegration();
    const resets = await Promise.all(
      Array.from({ length: 10 }, () => owner.api.post(`${integrations()}/${id}/reset_token`)),
    );
    const keys = resets.map(({ status, body }) => [status, (body as Body).token] as const);
    expect(keys.map(([status]) => status)).toEqual(keys.map(() => 200));
    const all = new Set([token, ...keys.map(([, key]) => key)]);
    expect(all.size).toBeGreaterThan(1);
    const answers = await Promise.all(
      [...all].map(async (key) => (await postAlert(url, key, { title: 'A' })).status),
    );
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
    const { body } = await owner.api.get(`${integrations()}/${id}`).expect(200);
    expect((await postAlert(url, (body as Body).token, { title: 'A' })).status).toBe(200);
  });

  it('of an integration that is deleted under fire opens nothing afterwards', async () => {
    const { id, url, token } = await createIntegration();
    const posts = Array.from({ length: 40 }, (_, at) => postAlert(url, token, { title: `F${at}` }));
    const deleted = owner.api.delete(`${integrations()}/${id}`);
    const statuses = (await Promise.all(posts)).map(({ status }) => status);
    expect((await deleted).status).toBe(204);
    expect(statuses.every((status) => [200, 404].includes(status))).toBe(true);
    expect((await postAlert(url, token, { title: 'Late' })).status).toBe(404);
    const titles = (await storedAlerts(app, project)).map(({ title }) => title);
    const stored = titles.filter((title) => /^F\d+$/.test(title));
    expect(stored).toHaveLength(statuses.filter((status) => status === 200).length);
    expect(titles).not.toContain('Late');
  });

  it('is compared as a whole: no prefix, other case, blank or other length will do', async () => {
    const { project: watched } = await makeWebhook(app);
    const token = newIntegrationKey();
    const { url } = await makeIntegration(app, watched, { token });
    const wrong = [token.slice(0, -1), `${token}0`, token.slice(1), `${token}${token}`];
    wrong.push(`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`);
    if (token.toUpperCase() !== token) wrong.push(token.toUpperCase());
    for (const key of wrong) expect((await postAlert(url, key, { title: 'A' })).status).toBe(401);
    expect(isSameKey(token, token)).toBe(true);
    expect(isSameKey('', '')).toBe(true);
    expect(isSameKey('é'.repeat(16), token)).toBe(false);
    expect(isSameKey(randomBytes(16).toString('hex'), token)).toBe(false);
  });
});
