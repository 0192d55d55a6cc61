import { beforeAll, describe, expect, it } from '@jest/globals';
import { Member } from '../../src/identity/members/member.entity.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api, type ApiClient } from '../support/api-client.js';
import { makeActor, makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

const VISIBILITIES = { private: 0, internal: 10, public: 20 } as const;
type VisibilityName = keyof typeof VISIBILITIES;
const NAMES = Object.keys(VISIBILITIES) as VisibilityName[];

/** Viewers of a project: their level in it, and the visibility that is open to them anyway. */
const ASKERS: Record<string, { level?: number; open: VisibilityName[]; all?: boolean }> = {
  nobody: { open: ['public'] },
  'another user': { open: ['internal', 'public'] },
  'an external user': { open: ['public'] },
  'a former member': { open: ['internal', 'public'] },
  'an external guest': { level: 10, open: ['public'] },
  'a guest': { level: 10, open: ['internal', 'public'] },
  'a reporter': { level: 20, open: ['internal', 'public'] },
  'a maintainer': { level: 40, open: ['internal', 'public'] },
  'the author outside the project': { open: ['internal', 'public'], all: true },
  'an administrator': { level: 50, open: ['internal', 'public'] },
};

let app: TestApp;
let owner: MadeActor;
let author: MadeActor;
const clients: Record<string, ApiClient> = {};
const projects = {} as Record<VisibilityName, MadeProject>;

interface MadeProject {
  id: number;
  fullPath: string;
  snippets: Record<VisibilityName, number>;
}

beforeAll(async () => {
  app = await sharedTestApp();
  [owner, author] = [await makeActor(app), await makeActor(app)];
  clients['the author outside the project'] = author.api;
  clients['an administrator'] = (await makeAdmin(app)).api;
  clients['nobody'] = api(app.url);
  for (const name of NAMES) projects[name] = await makeProjectWithSnippets(name);
  for (const [who, { level }] of Object.entries(ASKERS)) {
    if (clients[who] !== undefined) continue;
    const actor = await makeActor(app, { external: who.includes('external') });
    clients[who] = actor.api;
    const isFormer = who === 'a former member';
    if (level !== undefined || isFormer) await join(actor, level ?? 40, isFormer);
  }
});

async function makeProject(
  attributes: Partial<Project>,
): Promise<{ id: number; fullPath: string }> {
  const path = unique('project');
  const inserted = await app.dataSource.manager.insert(Project, {
    namespaceId: owner.user.namespaceId,
    name: path,
    path,
    repositoryStorage: 'default',
    creatorId: owner.user.id,
    ...attributes,
  });
  const id = (inserted.identifiers[0] as { id: number }).id;
  return { id, fullPath: `${owner.user.username}/${path}` };
}

async function makeProjectWithSnippets(name: VisibilityName): Promise<MadeProject> {
  const project = await makeProject({ visibility: VISIBILITIES[name] });
  const snippets = {} as Record<VisibilityName, number>;
  for (const own of NAMES) {
    const attributes = { projectId: project.id, visibility: VISIBILITIES[own] };
    snippets[own] = (await makeSnippet(app, { authorId: author.user.id, ...attributes })).id;
  }
  return { ...project, snippets };
}

async function join({ user }: MadeActor, accessLevel: number, isFormer: boolean): Promise<void> {
  for (const name of NAMES) {
    await app.dataSource.manager.insert(Member, {
      projectId: projects[name].id,
      userId: user.id,
      accessLevel,
      expiresAt: isFormer ? '2020-01-01' : null,
    });
  }
}

function clientOf(who: string): ApiClient {
  const client = clients[who];
  if (client === undefined) throw new Error(`No client for ${who}`);
  return client;
}

function listed(body: unknown): number[] {
  return (body as { id: number }[]).map(({ id }) => id);
}

function seesProject(who: string, project: VisibilityName): boolean {
  const { level = 0, open } = ASKERS[who] ?? { open: [] };
  return level > 0 || open.includes(project);
}

function seesSnippet(who: string, project: VisibilityName, snippet: VisibilityName): boolean {
  const { level = 0, open, all = false } = ASKERS[who] ?? { open: [] };
  return seesProject(who, project) && (level > 0 || all || open.includes(snippet));
}

const CASES = Object.keys(ASKERS).flatMap((who) => NAMES.map((name) => [who, name] as const));

describe('the snippets of a project', () => {
  it.each(CASES)('towards %s, in a %s project, show by their own visibility', async (who, name) => {
    const client = clientOf(who);
    const { id, snippets } = projects[name];
    const all = await client.get('/snippets/all?per_page=100');
    for (const own of NAMES) {
      const snippet = snippets[own];
      const status = seesSnippet(who, name, own) ? 200 : 404;
      const paths = [
        `/snippets/${snippet}`,
        `/snippets/${snippet}/raw`,
        `/projects/${id}/snippets/${snippet}`,
        `/projects/${id}/snippets/${snippet}/raw`,
        `/projects/${id}/snippets/${snippet}/files/main/notes.txt/raw`,
      ];
      for (const path of paths) {
        expect([own, path, (await client.get(path)).status]).toEqual([own, path, status]);
      }
      if (who !== 'nobody') expect(listed(all.body).includes(snippet)).toBe(status === 200);
    }
  });

  it.each(CASES)('towards %s, in a %s project, are listed if visible', async (who, name) => {
    const { id, snippets } = projects[name];
    const response = await clientOf(who).get(`/projects/${id}/snippets`);

    if (!seesProject(who, name)) {
      expect([response.status, response.body]).toEqual([404, { message: '404 Project Not Found' }]);
      return;
    }
    const seen = NAMES.filter((own) => seesSnippet(who, name, own)).map((own) => snippets[own]);
    expect([response.status, listed(response.body)]).toEqual([200, seen.reverse()]);
  });

  it.each(CASES)('are not changed by %s in a %s project without the right', async (who, name) => {
    const client = clientOf(who);
    const { id, snippets } = projects[name];
    const mayChange = ['a maintainer', 'an administrator', 'the author outside the project'];
    for (const own of NAMES) {
      const isSeen = seesSnippet(who, name, own);
      const allowed = isSeen && mayChange.includes(who);
      const refused = who === 'nobody' ? 401 : isSeen ? 403 : 404;
      const body = { description: `changed by ${who}` };
      const answers = [
        await client.put(`/projects/${id}/snippets/${snippets[own]}`, body),
        await client.put(`/snippets/${snippets[own]}`, body),
      ];
      const expected = allowed ? 200 : refused;
      expect([own, ...answers.map(({ status }) => status)]).toEqual([own, expected, expected]);
    }
  });

  it.each(CASES)('are made by %s in a %s project from Reporter on', async (who, name) => {
    const body = { title: 'New', content: 'x', file_name: 'x.txt' };
    const response = await clientOf(who).post(`/projects/${projects[name].id}/snippets`, body);

    const may = (ASKERS[who]?.level ?? 0) >= 20;
    const refused = who === 'nobody' ? 401 : seesProject(who, name) ? 403 : 404;
    expect(response.status).toBe(may ? 201 : refused);
    if (may)
      await clientOf('a maintainer').delete(`/snippets/${(response.body as { id: number }).id}`);
  });
});

describe('a project snippet', () => {
  it('is presented with addresses below its project', async () => {
    const { id, fullPath } = await makeProject({ visibility: 20 });
    const response = await owner.api.post(`/projects/${encodeURIComponent(fullPath)}/snippets`, {
      title: 'In a project',
      visibility: 'public',
      files: [{ file_path: 'a.txt', content: 'A' }],
    });
    const body = response.body as { id: number };

    expect(response.status).toBe(201);
    expect(body).toMatchObject({
      project_id: id,
      author: { id: owner.user.id },
      web_url: `${app.url}/${fullPath}/-/snippets/${body.id}`,
      raw_url: `${app.url}/${fullPath}/-/snippets/${body.id}/raw`,
      http_url_to_repo: `${app.url}/${fullPath}/snippets/${body.id}.git`,
      ssh_url_to_repo: null,
    });
    const listing = await api(app.url).get(`/projects/${id}/snippets`);
    expect(listing.body).toEqual([body]);
    const personal = (await api(app.url).get('/snippets/public?per_page=100')).body as unknown[];
    expect(personal).not.toContainEqual(expect.objectContaining({ id: body.id }));
  });

  it('is not found below another project', async () => {
    const { id } = await makeProject({ visibility: 20 });
    const other = projects.public.snippets.public;
    const path = `/projects/${id}/snippets/${other}`;

    const expected = [404, { message: '404 Snippet Not Found' }];
    for (const response of [
      await owner.api.get(path),
      await owner.api.get(`${path}/raw`),
      await owner.api.put(path, { title: 'x' }),
      await owner.api.delete(path),
    ]) {
      expect([response.status, response.body]).toEqual(expected);
    }
    const bad = await owner.api.get(`/projects/${id}/snippets/abc`);
    expect([bad.status, (bad.body as { error: string }).error]).toEqual([
      400,
      'snippet_id is invalid',
    ]);
  });

  it('is closed to all but administrators when the project turns snippets off', async () => {
    const { id } = await makeProject({ visibility: 20, snippetsEnabled: false });
    const { id: snippet } = await makeSnippet(app, {
      authorId: owner.user.id,
      projectId: id,
      visibility: 20,
    });
    const body = { title: 'New', content: 'x', file_name: 'x.txt' };

    expect((await owner.api.get(`/projects/${id}/snippets`)).status).toBe(403);
    expect((await owner.api.get(`/projects/${id}/snippets/${snippet}`)).status).toBe(403);
    expect((await owner.api.post(`/projects/${id}/snippets`, body)).status).toBe(403);
    expect((await owner.api.get(`/snippets/${snippet}`)).status).toBe(404);
    expect((await clientOf('an administrator').get(`/snippets/${snippet}`)).status).toBe(200);
  });

  it('of an archived project is readable and fixed', async () => {
    const { id } = await makeProject({ visibility: 20, archived: true });
    const { id: snippet } = await makeSnippet(app, { authorId: owner.user.id, projectId: id });
    const path = `/projects/${id}/snippets`;
    const body = { title: 'New', content: 'x', file_name: 'x.txt' };

    expect((await owner.api.get(`${path}/${snippet}`)).status).toBe(200);
    expect((await owner.api.post(path, body)).status).toBe(403);
    expect((await owner.api.put(`${path}/${snippet}`, body)).status).toBe(403);
    expect((await owner.api.delete(`/snippets/${snippet}`)).status).toBe(403);
  });

  it('of a project that is being deleted is gone for everyone', async () => {
    const { id } = await makeProject({ visibility: 20, pendingDelete: true });
    const { id: snippet } = await makeSnippet(app, {
      authorId: owner.user.id,
      projectId: id,
      visibility: 20,
    });

    for (const client of [owner.api, clientOf('an administrator'), api(app.url)]) {
      expect((await client.get(`/snippets/${snippet}`)).status).toBe(404);
      expect((await client.get(`/projects/${id}/snippets`)).status).toBe(404);
    }
  });

  it('is deleted with 204 by a maintainer', async () => {
    const { id, snippets } = await makeProjectWithSnippets('private');
    const path = `/projects/${id}/snippets/${snippets.private}`;

    expect((await owner.api.delete(path)).status).toBe(204);
    expect((await owner.api.get(path)).status).toBe(404);
  });
});
