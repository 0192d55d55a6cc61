import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { AccessRequest } from '../../src/identity/members/member.entity.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { axeViolations, overflowWhenNarrow, screenshots } from '../support/browser.js';
import { makeAlert, makeEnvironment } from '../support/alert-factories.js';
import { makeError, tagError } from '../support/error-factories.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeGroup,
  type MadeProject,
} from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

let app: BrowserApp;
let owner: MadeUser;
let group: MadeGroup;
let project: MadeProject;
let snippetId: number;
beforeAll(async () => {
  app = await sharedBrowserApp();
  await furnish();
});
afterAll(() => app.close());

/** A group with people, projects and snippets, as in a workshop that is in use. */
async function furnish(): Promise<void> {
  owner = await makeUser(app, {
    username: unique('margaret'),
    name: 'Margaret Hamilton',
    bio: 'Writes software that lands.',
    location: 'Boston',
    organization: 'Draper',
    websiteUrl: 'https://example.com/margaret',
  });
  const description = 'Guidance and navigation';
  const path = 'apollo';
  group = await makeGroup(app, { name: 'Apollo', path, description, visibility: 'internal' });
  await makeMember(app, { group, user: owner, role: 'owner' });
  const inner = { name: 'Lunar Module', path: 'lunar-module', parentId: group.id };
  const module = await makeGroup(app, inner);
  await makeMember(app, { group: module, user: owner, role: 'maintainer' });
  const below = await makeGroup(app, { name: 'Ascent', path: 'ascent', parentId: module.id });
  await makeProject(app, { namespaceId: below.id, name: 'Rendezvous', path: 'rendezvous' });
  await makeGroup(app, { name: 'Command Module', path: 'command-module', parentId: group.id });
  for (const name of ['Don Eyles', 'Hal Laning', 'Phyllis Rye']) {
    const user = await makeUser(app, { name });
    await makeMember(app, { group, user, role: 'developer', expiresAt: '2999-01-01' });
  }
  const stranger = await makeUser(app, { name: 'Fred Martin' });
  await app.dataSource.manager.insert(AccessRequest, {
    namespaceId: group.id,
    userId: stranger.id,
  });
  const namespaceId = group.id;
  const files = { 'README.md': '# Guidance\n' };
  project = await makeProject(app, { namespaceId, name: 'Guidance', path: 'guidance', files });
  const environment = await makeEnvironment(app, project, { name: 'production' });
  await makeAlert(app, project, { environmentId: environment.id });
  await tagError(app, await makeError(app, project), { environment: 'staging' });
  await makeProject(app, { namespaceId, name: 'Display', path: 'display', description: 'DSKY' });
  const code = 'set -eu\n\nfor program in P63 P64 P66; do\n  echo "$program"\ndone\n';
  const notes = { 'bin/land.sh': code, 'notes.txt': 'Alarm 1202\n' };
  const about = { authorId: owner.id, title: 'Landing programs', visibility: 10, files: notes };
  ({ id: snippetId } = await makeSnippet(app, about));
}

/** Addresses of every page for people who work in groups and projects. */
function addresses(): [string, string][] {
  const inGroup = `/groups/${group.fullPath}`;
  const inProject = `/${project.fullPath}`;
  return [
    ['dashboard', '/'],
    ['explore', '/explore'],
    ['explore-groups', '/explore/groups'],
    ['explore-snippets', '/explore/snippets'],
    ['user', `/${owner.username}`],
    ['groups', '/dashboard/groups'],
    ['new-group', '/groups/new'],
    ['group', inGroup],
    ['group-subgroups', `${inGroup}/-/subgroups`],
    ['group-members', `${inGroup}/-/group_members`],
    ['group-tokens', `${inGroup}/-/settings/access_tokens`],
    ['group-settings', `${inGroup}/-/edit`],
    ['group-projects', `${inGroup}/-/projects`],
    ['group-audit', `${inGroup}/-/audit_events`],
    ['projects', '/dashboard/projects'],
    ['new-project', '/projects/new'],
    ['project', inProject],
    ['empty-project', `${inGroup.replace('/groups', '')}/display`],
    ['project-members', `${inProject}/-/project_members`],
    ['project-tokens', `${inProject}/-/settings/access_tokens`],
    ['project-settings', `${inProject}/-/edit`],
    ['project-audit', `${inProject}/-/audit_events`],
    ['project-environments', `${inProject}/-/environments`],
    ['project-snippets', `${inProject}/-/snippets`],
    ['snippets', '/-/snippets'],
    ['new-snippet', '/-/snippets/new'],
    ['snippet', `/-/snippets/${snippetId}`],
    ['edit-snippet', `/-/snippets/${snippetId}/edit`],
  ];
}

async function open(options?: BrowserContextOptions): Promise<Page> {
  const page = await app.pageAs(owner, options);
  page.setDefaultTimeout(30_000);
  return page;
}

describe('pages of groups, projects and snippets in a browser', () => {
  it('have nothing that axe finds wrong, and fit a small telephone', async () => {
    const page = await open();
    const problems: string[] = [];
    for (const [name, path] of addresses()) {
      await page.goto(`${app.url}${path}`);
      const found = await axeViolations(page);
      const overflow = await overflowWhenNarrow(page);
      problems.push(...found.map((line) => `${name}: ${line}`));
      if (overflow > 0) problems.push(`${name}: ${overflow} px too wide`);
      await screenshots(page, name);
    }
    expect(problems).toEqual([]);
    expect(app.chrome.complaints()).toEqual([]);
  }, 300_000);

  it('ask before a member goes, within the table', async () => {
    const page = await open();
    await page.goto(`${app.url}/groups/${group.fullPath}/-/group_members`);
    const row = page.getByRole('row', { name: /Don Eyles/ });
    await row.locator('summary', { hasText: 'Change' }).click();
    await screenshots(page, 'group-members-change');
    expect(await axeViolations(page)).toEqual([]);
    await row.getByLabel('Role').selectOption('Reporter');
    await row.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Member updated.').waitFor();
    expect(await row.innerText()).toContain('Reporter');
    await row.locator('summary', { hasText: 'Remove' }).click();
    await row.getByRole('button', { name: 'Remove member' }).click();
    await page.getByText('Member removed.').waitFor();
    expect(await page.getByText('Don Eyles').count()).toBe(0);
  }, 120_000);

  it('make a project, a snippet and a token without scripts', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(`${app.url}/projects/new`);
    await page.getByLabel('Name', { exact: true }).fill('Rendezvous Radar');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.waitForURL(`${app.url}/${owner.username}/rendezvous-radar`);
    await page.getByRole('link', { name: 'Access tokens' }).click();
    await page.waitForURL(/access_tokens$/);
    await page.getByLabel('Name', { exact: true }).fill('Robot');
    await page.getByLabel('read_api').check();
    await page.getByRole('button', { name: 'Create token' }).click();
    expect(await page.getByLabel('Token “Robot”', { exact: true }).inputValue()).toMatch(
      /^svc\w*-/,
    );
    await page.reload();
    expect(await page.getByLabel('Token “Robot”', { exact: true }).count()).toBe(0);
    await page.locator('summary', { hasText: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('Token revoked.').waitFor();
    await page.goto(`${app.url}/-/snippets/new`);
    await page.getByLabel('Title').fill('Checklist');
    await page.getByLabel('File name').fill('list.txt');
    await page.getByLabel('Content').fill('one\ntwo\n');
    await page.getByRole('button', { name: 'Create snippet' }).click();
    await page.getByRole('heading', { level: 1, name: 'Checklist' }).waitFor();
  }, 120_000);
});
