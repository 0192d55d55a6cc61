import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { UserEmail } from '../../src/identity/users/user.entity.js';
import { Group } from '../../src/workspace/groups/group.entity.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeToken, unique } from '../support/factories.js';
import { makeVisitor } from '../support/page-client.js';
import {
  makeGroup,
  makeMember,
  makeOwnedGroup,
  makeProject,
  type MadeGroup,
  type MadeProject,
} from '../support/project-factories.js';

const PATH = '/-/profile/notifications';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

/** Someone with a browser and a token. */
async function makePerson(attributes: Parameters<typeof makeVisitor>[1] = {}) {
  const { user, pages } = await makeVisitor(app, attributes);
  return { user, pages, client: api(app.url, await makeToken(app, user)) };
}
type Person = Awaited<ReturnType<typeof makePerson>>;

const settingOf = async ({ client }: Person, path = ''): Promise<unknown> =>
  (await client.get(`${path}/notification_settings`).expect(200)).body;

/** The row of the table that is about this path, without its tags. */
function rowOf(html: string, { fullPath }: { fullPath: string }): string | null {
  const rows = html.split('<tr>').filter((row) => row.includes(`/${fullPath}"`));
  return rows[0] ?? null;
}

/** The chosen level of a row or form as it is called there. */
function chosenIn(html: string | null): string | undefined {
  return /<option[^>]* selected[^>]*>([^<]*)</.exec(html ?? '')?.[1];
}

async function makePlaces(): Promise<{ person: Person; group: MadeGroup; project: MadeProject }> {
  const person = await makePerson();
  const group = await makeOwnedGroup(app, { user: person.user });
  const project = await makeProject(app, { namespaceId: group.id });
  return { person, group, project };
}

describe('the page of notifications', () => {
  it('saves what holds everywhere, switches included', async () => {
    const person = await makePerson();
    const email = `${unique('second')}@example.com`;
    const own = { userId: person.user.id, email, confirmedAt: new Date() };
    await app.dataSource.manager.insert(UserEmail, own);
    await person.pages
      .post(PATH, {
        level: 'custom',
        new_issue: 'true',
        failed_pipeline: 'false',
        notification_email: email,
        own_activity: 'true',
      })
      .expect(303)
      .expect('Location', PATH);
    const { text } = await person.pages.get(PATH).expect(200);
    expect(text).toMatch(/checked[^>]* name="own_activity"/);
    expect(await settingOf(person)).toMatchObject({
      level: 'custom',
      notification_email: email,
      events: { new_issue: true, failed_pipeline: false, fixed_pipeline: true },
    });
  });

  it('shows the form again with what is wrong', async () => {
    const person = await makePerson();
    const fields = { level: 'watch', notification_email: 'else@example.com' };
    const { text } = await person.pages.post(PATH, fields).expect(422);
    expect(text).toContain('is not an email you own');
    expect(await settingOf(person)).toMatchObject({ level: 'participating' });
  });

  it('is for who is signed in', async () => {
    for (const path of [PATH, `${PATH}/projects/1`, `${PATH}/groups/1`]) {
      await request(app.url).get(path).expect(302).expect('Location', '/users/sign_in');
    }
  });

  it('lists groups and projects with what they inherit', async () => {
    const { person, group, project } = await makePlaces();
    await person.client.put('/notification_settings', { level: 'mention' }).expect(200);
    const before = await person.pages.get(PATH).expect(200);
    expect(chosenIn(rowOf(before.text, group))).toBe('Global (On mention)');
    expect(chosenIn(rowOf(before.text, project))).toBe('Global (On mention)');
    const groupPath = `/groups/${group.id}/notification_settings`;
    await person.client.put(groupPath, { level: 'watch' }).expect(200);
    const after = await person.pages.get(PATH).expect(200);
    expect(chosenIn(rowOf(after.text, group))).toBe('Watch');
    expect(chosenIn(rowOf(after.text, project))).toBe('Group (Watch)');
  });

  it('lists what one has in several ways once', async () => {
    const { person, group, project } = await makePlaces();
    const { user } = person;
    const own = await makeProject(app, { namespaceId: user.namespaceId });
    const direct = await makeProject(app, { namespaceId: (await makeGroup(app)).id });
    for (const joined of [project, direct]) {
      await makeMember(app, { project: joined, user, role: 'developer' });
      const path = `/projects/${joined.id}/notification_settings`;
      await person.client.put(path, { level: 'watch' }).expect(200);
    }
    const { text } = await person.pages.get(PATH).expect(200);
    const rows = text.split('<tr>');
    const times = [group, project, own, direct].map(
      ({ fullPath }) => rows.filter((row) => row.includes(`/${fullPath}"`)).length,
    );
    expect(times).toEqual([1, 1, 1, 1]);
  });

  it('takes the nearest of several groups above', async () => {
    const { person, group } = await makePlaces();
    const below = await makeGroup(app, { parentId: group.id });
    const { id: namespaceId } = await makeGroup(app, { parentId: below.id });
    const project = await makeProject(app, { namespaceId });
    await person.client.put(`/groups/${group.id}/notification_settings`, { level: 'watch' });
    await person.client.put(`/groups/${below.id}/notification_settings`, { level: 'disabled' });
    const { text } = await person.pages.get(PATH).expect(200);
    expect(chosenIn(rowOf(text, project))).toBe('Group (Disabled)');
    expect(chosenIn(rowOf(text, below))).toBe('Disabled');
    const { text: details } = await person.pages.get(`${PATH}/projects/${project.id}`).expect(200);
    expect(details).toContain('Group (Disabled)');
  });

  it('changes a level in its row and comes back to the same list', async () => {
    const { person, project } = await makePlaces();
    const fields = { level: 'disabled', list_search: project.path, list_page: '2' };
    await person.pages
      .post(`${PATH}/projects/${project.id}`, fields)
      .expect(303)
      .expect('Location', `${PATH}?search=${project.path}&page=2`);
    expect(await settingOf(person, `/projects/${project.id}`)).toEqual({ level: 'disabled' });
  });

  it('leads nowhere else than to itself', async () => {
    const { person, project } = await makePlaces();
    const { headers } = await person.pages
      .post(`${PATH}/projects/${project.id}`, {
        level: 'watch',
        list_search: '//evil.example.com/\r\nX: 1',
        list_page: '?',
      })
      .expect(303);
    expect(headers['location']).toMatch(/^\/-\/profile\/notifications\?[\w%+=&.-]+$/);
  });

  it('finds parts of names and pages through the rest', async () => {
    const { person, group, project } = await makePlaces();
    const { text } = await person.pages.get(`${PATH}?search=${project.path}`).expect(200);
    expect([rowOf(text, project) !== null, rowOf(text, group)]).toEqual([true, null]);
    const { text: second } = await person.pages.get(`${PATH}?per_page=1&page=2`).expect(200);
    expect([rowOf(second, project) !== null, rowOf(second, group)]).toEqual([true, null]);
    const { text: none } = await person.pages.get(`${PATH}?search=100%25`).expect(200);
    expect(none).toContain('No groups or projects match your search');
  });

  it('pages through groups, those below them and their projects by path', async () => {
    const { person, group } = await makePlaces();
    await makeProject(app, { namespaceId: person.user.namespaceId });
    const gone = await makeGroup(app, { parentId: group.id });
    await app.dataSource.query('UPDATE groups SET pending_delete = true WHERE id = $1', [gone.id]);
    for (const parentId of [group.id, group.id, gone.id]) {
      const { id: namespaceId } = await makeGroup(app, { parentId });
      await makeProject(app, { namespaceId });
    }
    const pathsOn = async (query: string): Promise<string[]> => {
      const { text } = await person.pages.get(`${PATH}?${query}`).expect(200);
      return [...text.matchAll(/<tr>.*?href="\/(?:groups\/)?([^"]+)"/gs)].map(
        ([, path]) => path ?? '',
      );
    };
    const all = await pathsOn('per_page=100');
    expect(all).toHaveLength(9);
    expect(all).toEqual(all.toSorted());
    const paged: string[] = [];
    for (const page of [1, 2, 3, 4, 5]) paged.push(...(await pathsOn(`per_page=2&page=${page}`)));
    expect(paged).toEqual(all);
  });

  it('keeps what was once set for others’ places, while it can be seen', async () => {
    const person = await makePerson();
    const open = await makeGroup(app, { visibility: 'public' });
    const project = await makeProject(app, { namespaceId: open.id, visibility: 'internal' });
    await person.client.put(`/groups/${open.id}/notification_settings`, { level: 'watch' });
    await person.client.put(`/projects/${project.id}/notification_settings`, { level: 'custom' });
    const { text } = await person.pages.get(PATH).expect(200);
    expect([rowOf(text, open), rowOf(text, project)].map(chosenIn)).toEqual(['Watch', 'Custom']);
    await app.dataSource.query('UPDATE groups SET visibility = 0 WHERE id = $1', [open.id]);
    await app.dataSource.query('UPDATE projects SET visibility = 0 WHERE id = $1', [project.id]);
    const { text: later } = await person.pages.get(PATH).expect(200);
    for (const { name, path } of [open, project]) {
      expect(later).not.toContain(name);
      expect(later).not.toContain(path);
    }
  });

  it('says nothing of places that wait for their deletion', async () => {
    const { person, group, project } = await makePlaces();
    await app.dataSource.query('UPDATE groups SET pending_delete = true WHERE id = $1', [group.id]);
    await app.dataSource.query('UPDATE projects SET pending_delete = true WHERE id = $1', [
      project.id,
    ]);
    const { text } = await person.pages.get(PATH).expect(200);
    expect(text).toContain('No groups or projects yet');
  });
});

describe('the page of one place', () => {
  it('saves switches of a project', async () => {
    const { person, project } = await makePlaces();
    const path = `${PATH}/projects/${project.id}`;
    const fields = { level: 'custom', close_issue: 'true', moved_project: 'false' };
    await person.pages.post(path, fields).expect(303).expect('Location', path);
    expect(await settingOf(person, `/projects/${project.id}`)).toMatchObject({
      level: 'custom',
      events: { close_issue: true, moved_project: false },
    });
    const { text } = await person.pages.get(path).expect(200);
    expect(text).not.toContain('name="notification_email"');
  });

  it('leads those who can change them to the alert settings of a project', async () => {
    const { person, group, project } = await makePlaces();
    const guest = await makePerson();
    await makeMember(app, { group, user: guest.user, role: 'guest' });
    const path = `${PATH}/projects/${project.id}`;
    const link = `href="/${project.fullPath}/-/settings/alerts"`;
    expect((await person.pages.get(path).expect(200)).text).toContain(link);
    expect((await guest.pages.get(path).expect(200)).text).not.toContain(link);
  });

  it('says where notification emails are disabled', async () => {
    const { person, group, project } = await makePlaces();
    const text = async (path: string): Promise<string> =>
      (await person.pages.get(`${PATH}/${path}`).expect(200)).text;
    const paths = [`projects/${project.id}`, `groups/${group.id}`];
    for (const path of paths) expect(await text(path)).not.toContain('emails are disabled');
    const { manager } = app.dataSource;
    await manager.update(Project, project.id, { emailsEnabled: false });
    expect(await text(`projects/${project.id}`)).toContain('emails are disabled');
    expect(await text(`groups/${group.id}`)).not.toContain('emails are disabled');
    await manager.update(Project, project.id, { emailsEnabled: true });
    await manager.update(Group, group.id, { emailsEnabled: false });
    for (const path of paths) expect(await text(path)).toContain('emails are disabled');
  });

  it('saves an address of a group, and takes no address of others', async () => {
    const { person, group } = await makePlaces();
    const path = `${PATH}/groups/${group.id}`;
    const { email } = person.user;
    await person.pages.post(path, { level: 'global', notification_email: email }).expect(303);
    const { text } = await person.pages.get(path).expect(200);
    expect(chosenIn(text)).toBe(email);
    const wrong = { level: 'watch', notification_email: 'else@example.com' };
    await person.pages.post(path, wrong).expect(422);
    expect(await settingOf(person, `/groups/${group.id}`)).toEqual({ level: 'global' });
  });

  it('requires a membership or read access', async () => {
    const { group, project } = await makePlaces();
    const stranger = await makePerson();
    const paths = [`${PATH}/groups/${group.id}`, `${PATH}/projects/${project.id}`];
    for (const path of paths) {
      const { text } = await stranger.pages.get(path).expect(404);
      expect(text).not.toContain(project.name);
      await stranger.pages.post(path, { level: 'watch' }).expect(404);
    }
    await makeMember(app, { group, user: stranger.user, role: 'guest' });
    for (const path of paths) await stranger.pages.get(path).expect(200);
  });

  it('is linked from the group and the project', async () => {
    const { person, group, project } = await makePlaces();
    const { text: ofProject } = await person.pages.get(`/${project.fullPath}`).expect(200);
    expect(ofProject).toContain(`href="${PATH}/projects/${project.id}"`);
    const { text: ofGroup } = await person.pages.get(`/groups/${group.fullPath}`).expect(200);
    expect(ofGroup).toContain(`href="${PATH}/groups/${group.id}"`);
  });
});
