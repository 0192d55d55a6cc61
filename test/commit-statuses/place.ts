import { expect } from '@jest/globals';
import { NOTIFICATION_KINDS } from '../../src/core/activity/notifications.repository.js';
import type { TestApp } from '../support/app.js';
import type { MadeActor } from '../support/factories.js';
import { commitOn, tipOf } from '../support/merge-request-factories.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';

/** A project with one commit on `main`, of which its owner reports statuses. */
export interface StatusPlace {
  project: MadeProject;
  owner: MadeActor;
  sha: string;
}

export interface StatusBody {
  id: number;
  status: string;
  pipeline_id: number;
  [key: string]: unknown;
}

/** Puts such a project into the app. */
export async function makeStatusPlace(app: TestApp, owner: MadeActor): Promise<StatusPlace> {
  const { namespaceId } = owner.user;
  const project = await makeProject(app, { namespaceId, files: { 'a.txt': 'one\n' } });
  return { project, owner, sha: (await tipOf(app, project, 'main')) ?? '' };
}

/** One more commit on `main`. */
export function nextCommit(app: TestApp, { project, owner }: StatusPlace): Promise<string> {
  const files = { [`${Math.random()}.txt`]: 'x\n' };
  return commitOn(app, project, { branch: 'main', user: owner.user, files });
}

/** Reports a status of the place's commit, or of `sha`; answers it. */
export async function report(
  { project, owner, sha }: StatusPlace,
  body: Record<string, unknown>,
): Promise<StatusBody> {
  const response = await owner.api.post(`/projects/${project.id}/statuses/${sha}`, body);
  expect([response.status, response.body]).toEqual([201, expect.anything()]);
  return response.body as StatusBody;
}

/** Kinds of the notifications about pipelines of the project, oldest first. */
export async function pipelineNotifications(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  { project }: Pick<StatusPlace, 'project'>,
): Promise<string[]> {
  const rows: { kind: number }[] = await dataSource.query(
    'SELECT kind FROM notifications WHERE project_id = $1 AND target_type = 9 ORDER BY id',
    [project.id],
  );
  const names = Object.entries(NOTIFICATION_KINDS);
  return rows.map(({ kind }) => names.find(([, number]) => number === kind)?.[0] ?? String(kind));
}
