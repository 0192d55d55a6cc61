import { ClientKey } from '../../src/error-tracking/client-keys/client-keys.repository.js';
import type { TestApp } from './app.js';
import { makeVisitor, type PageClient } from './page-client.js';
import { makeOwnedGroup, makeProject, type MadeProject } from './project-factories.js';

/** A project and the browser of its owner. */
export interface SetUpPlace {
  pages: PageClient;
  project: MadeProject;
  /** Of the page of its error tracking settings. */
  path: string;
}

/** Fields of the form by which errors are collected. */
export const COLLECTING = { enabled: 'true', integrated: 'true' };

/** A project that has not chosen anything about its errors. */
export async function makeSetUpPlace(app: TestApp): Promise<SetUpPlace> {
  const { pages, user } = await makeVisitor(app);
  const group = await makeOwnedGroup(app, { user });
  const project = await makeProject(app, { namespaceId: group.id });
  return { pages, project, path: `/${project.fullPath}/-/settings/error_tracking` };
}

/** A project where errors are collected, switched on by its page, with its first key. */
export async function makeCollectingPlace(
  app: TestApp,
): Promise<SetUpPlace & { dsn: string; key: ClientKey }> {
  const place = await makeSetUpPlace(app);
  await place.pages.post(place.path, COLLECTING).expect(303);
  const [key] = await clientKeysOf(app, place.project);
  if (key === undefined) throw new Error('no key was made');
  const { protocol, host } = new URL(app.config.baseUrl);
  const collector = `${host}/api/v4/error_tracking/collector/${place.project.id}`;
  return { ...place, key, dsn: `${protocol}//${key.publicKey}@${collector}` };
}

/** The keys of a project, the oldest first. */
export function clientKeysOf(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  { id }: { id: number },
): Promise<ClientKey[]> {
  return dataSource.manager.find(ClientKey, { where: { projectId: id }, order: { id: 'ASC' } });
}
