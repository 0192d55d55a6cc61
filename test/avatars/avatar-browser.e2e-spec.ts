import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { axeViolations, overflowWhenNarrow, screenshots } from '../support/browser.js';
import { makeUser } from '../support/factories.js';
import { picture } from '../support/images.js';
import { makeOwnedGroup, makeProject } from '../support/project-factories.js';

let app: BrowserApp;
beforeAll(async () => {
  app = await sharedBrowserApp();
});
afterAll(() => app.close());

describe('an avatar in a browser', () => {
  it('is uploaded without a script and shown in the menu', async () => {
    const user = await makeUser(app, { name: 'Grace Hopper' });
    const page = await app.openAs(user, '/-/user_settings/profile', { javaScriptEnabled: false });
    await screenshots(page, 'avatar-profile-initials');
    const buffer = await picture('jpeg', { width: 300, height: 200, colour: '#c2410c' });
    await page
      .getByLabel('Image')
      .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByRole('button', { name: 'Upload avatar' }).click();
    await page.getByRole('button', { name: 'Remove avatar' }).waitFor();
    await screenshots(page, 'avatar-profile');
  });

  it.each(['group', 'project'] as const)('of a %s is shown without barriers', async (kind) => {
    const user = await makeUser(app, { name: 'Grace Hopper' });
    const group = await makeOwnedGroup(app, { user }, { name: 'Compilers' });
    const project = await makeProject(app, { namespaceId: group.id, name: 'Flow-Matic' });
    const path = kind === 'group' ? `/groups/${group.fullPath}` : `/${project.fullPath}`;
    const page = await app.openAs(user, `${path}/-/edit`);
    const buffer = await picture('png', { colour: '#7c3aed' });
    await page.getByLabel('Image').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
    await page.getByRole('button', { name: 'Upload avatar' }).click();
    await page.getByRole('button', { name: 'Remove avatar' }).waitFor();
    const shown = 'document.querySelector(".sidebar-subject img.avatar")';
    await page.evaluate(`${shown}.decode()`);
    expect(await page.evaluate(`${shown}.naturalWidth`)).toBe(64);
    await screenshots(page, `avatar-${kind}`);
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflowWhenNarrow(page)).toBe(0);
    expect(app.chrome.complaints()).toEqual([]);
  });
});
