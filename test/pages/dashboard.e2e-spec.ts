import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeUser } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor } from '../support/page-client.js';
import { makeGroup, makeProject } from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

const XSS = '<script>alert(1)</script>';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

describe('the home page', () => {
  it('is for who is signed in', async () => {
    const { headers } = await request(app.url).get('/').expect(302);
    expect(headers['location']).toBe('/users/sign_in');
  });

  it('shows the projects of the viewer', async () => {
    const { pages, user } = await makeVisitor(app);
    expect(textOf((await pages.get('/').expect(200)).text)).toContain(
      'You are not a member of any project yet',
    );
    const project = await makeProject(app, { namespaceId: user.namespaceId });
    const other = await makeProject(app, {
      namespaceId: (await makeGroup(app)).id,
      visibility: 'public',
    });
    const text = textOf((await pages.get('/').expect(200)).text);
    expect([project, other].map(({ name }) => text.includes(name))).toEqual([true, false]);
  });

  it('lets only those make groups who may', async () => {
    const { pages } = await makeVisitor(app, { external: true });
    expect((await pages.get('/').expect(200)).text).not.toContain('/groups/new');
    await pages.get('/groups/new').expect(403);
  });
});

describe('explore', () => {
  it('lists public projects to everyone, and internal ones to signed-in users', async () => {
    const group = await makeGroup(app, { visibility: 'public', name: 'Open Group' });
    const namespaceId = group.id;
    const open = await makeProject(app, { namespaceId, visibility: 'public' });
    const inner = await makeProject(app, { namespaceId, visibility: 'internal' });
    const closed = await makeProject(app, { namespaceId });
    const names = [open, inner, closed].map(({ name }) => name);
    const seen = (text: string): boolean[] => names.map((name) => textOf(text).includes(name));
    const { text } = await request(app.url).get('/explore?sort=newest').expect(200);
    expect(seen(text)).toEqual([true, false, false]);
    const { pages } = await makeVisitor(app);
    expect(seen((await pages.get('/explore').expect(200)).text)).toEqual([true, true, false]);
    await makeGroup(app, { visibility: 'public', name: 'Another Circle' });
    const groups = await request(app.url).get('/explore/groups?search=Open+Gr').expect(200);
    expect(textOf(groups.text)).toContain('Open Group');
    expect(textOf(groups.text)).not.toContain('Another Circle');
    const none = await request(app.url).get('/explore?search=no-such-thing').expect(200);
    expect(textOf(none.text)).toContain('No projects match your search');
    await request(app.url).get('/explore?sort=sideways').expect(400);
  });
});

describe('explore snippets', () => {
  it('lists public personal ones, and nothing else', async () => {
    const { id: authorId } = await makeUser(app);
    const open = await makeSnippet(app, { authorId, visibility: 20, title: 'Open to all' });
    await makeSnippet(app, { authorId, visibility: 10, title: 'For people inside' });
    const { text } = await request(app.url).get('/explore/snippets').expect(200);
    expect(text).toContain(`href="/-/snippets/${open.id}"`);
    expect(textOf(text)).not.toContain('For people inside');
  });
});

describe('the page of a user', () => {
  it('shows their projects to everyone, their profile to signed-in users', async () => {
    const user = await makeUser(app, {
      name: XSS,
      bio: 'Weaves at night',
      location: 'Leeds',
      websiteUrl: 'javascript:alert(1)',
    });
    const project = await makeProject(app, {
      namespaceId: user.namespaceId,
      visibility: 'public',
    });
    const stranger = await request(app.url).get(`/${user.username}`).expect(200);
    expect(textOf(stranger.text)).toContain(project.name);
    expect(textOf(stranger.text)).not.toContain('Leeds');
    expect(stranger.text).not.toContain(XSS);
    const { pages } = await makeVisitor(app);
    const { text } = await pages.get(`/${user.username.toUpperCase()}`).expect(200);
    expect(textOf(text)).toContain('Weaves at night');
    expect(textOf(text)).toContain('Location Leeds');
    expect(text).not.toContain('href="javascript:');
    expect(textOf(text)).not.toContain(user.email);
  });

  it('leads its owner to the settings', async () => {
    const { pages, user } = await makeVisitor(app);
    const { text } = await pages.get(`/${user.username}`).expect(200);
    expect(text).toContain('Edit profile');
    expect(text).toContain('href="/-/user_settings/applications"');
    const settings = await pages.get('/-/user_settings/applications').expect(200);
    const way = /aria-label="Breadcrumb">.*?<\/nav>/s.exec(settings.text)?.[0] ?? '';
    expect(textOf(`<nav ${way}`)).toBe('Settings Applications');
  });

  it('is that of a group where the name is one that the viewer sees', async () => {
    const open = await makeGroup(app, { visibility: 'public' });
    const hidden = await makeGroup(app);
    const { headers } = await request(app.url).get(`/${open.path}`).expect(303);
    expect(headers['location']).toBe(`/groups/${open.path}`);
    await request(app.url).get(`/${hidden.path}`).expect(404);
    await request(app.url).get('/nobody-has-this-name').expect(404);
  });
});
