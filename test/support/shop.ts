import type { BrowserContextOptions, Page } from 'playwright-core';
import type { BrowserApp } from './browser-app.js';
import type { MadeUser } from './factories.js';
import { makeOwnedGroup, makeProject, type MadeProject } from './project-factories.js';

/** A project, and a page on which its owner is signed in. */
export interface Shop {
  project: MadeProject;
  page: Page;
  /** Before the paths of the project's pages. */
  base: string;
}

/** The project Shop in a new group Acme of the user; nothing of it is open yet. */
export async function makeShop(
  app: BrowserApp,
  user: MadeUser,
  options?: BrowserContextOptions,
): Promise<Shop> {
  const group = await makeOwnedGroup(app, { user }, { name: 'Acme' });
  const project = await makeProject(app, { namespaceId: group.id, name: 'Shop' });
  const page = await app.pageAs(user, options);
  return { project, page, base: `${app.url}/${project.fullPath}/-` };
}
