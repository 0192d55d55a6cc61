import { ErrorTrackingSetting } from '../../src/error-tracking/error-tracking-setting.entity.js';
import { ErrorGroup } from '../../src/error-tracking/error-group.entity.js';
import type { TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { signedIn, type PageClient } from '../support/page-client.js';
import {
  makeMember,
  makeOwnedGroup,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';

/** Someone with a browser and a token. */
export interface ErrorsVisitor extends MadeActor {
  pages: PageClient;
}

export interface ErrorsPlace {
  project: MadeProject;
  owner: ErrorsVisitor;
  /** Has the role that was asked for. */
  member: ErrorsVisitor;
  pages: PageClient;
  /** Of the list of errors. */
  path: string;
}

/** A project whose errors are collected, with a member. */
export async function makeErrorsPlace(
  app: TestApp,
  role: 'guest' | 'reporter' | 'developer' | 'maintainer' = 'developer',
): Promise<ErrorsPlace> {
  const member = await makeErrorsVisitor(app);
  const owner = await makeErrorsVisitor(app);
  const group = await makeOwnedGroup(app, owner);
  const project = await makeProject(app, { namespaceId: group.id });
  await makeMember(app, { project, user: member.user, role });
  await track(app, project, {});
  const path = `/${project.fullPath}/-/error_tracking`;
  return { project, owner, member, pages: member.pages, path };
}

/** A new user who is signed in. */
export async function makeErrorsVisitor(app: TestApp): Promise<ErrorsVisitor> {
  const actor = await makeActor(app);
  return { ...actor, pages: await signedIn(app, actor.user) };
}

/** Error tracking of the project as the values say; switched on unless they say otherwise. */
export async function track(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  { id }: { id: number },
  values: Partial<ErrorTrackingSetting>,
): Promise<void> {
  const row = { enabled: true, ...values, projectId: id };
  await dataSource.manager.upsert(ErrorTrackingSetting, row, ['projectId']);
}

/** The stored number of the error's state. */
export async function statusOf(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  id: number,
): Promise<number> {
  const { status } = await dataSource.manager.findOneByOrFail(ErrorGroup, { id });
  return status;
}
