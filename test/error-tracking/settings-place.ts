import type { TestApp } from '../support/app.js';
import { makeUser, type MadeActor } from '../support/factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

type ProjectOptions = Parameters<typeof makeProject>[1];

/** Headers of who saw what they change before it was made. */
export const STALE = { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' };

/** A client key as the API shows it. */
export interface KeyBody {
  id: number;
  active: boolean;
  public_key: string;
  tracker_dsn: string;
}

/** A project with a maintainer, seen through the API of its error tracking. */
export interface Place {
  project: MadeProject;
  maintainer: MadeActor;
  /** Path of what error tracking has below the project. */
  path: (rest: string) => string;
}

/** A project of someone else, whose maintainer is `maintainer`. */
export async function makePlace(
  app: TestApp,
  options: Partial<ProjectOptions> = {},
): Promise<Place> {
  const owner = await makeUser(app);
  const project = await makeProject(app, { namespaceId: owner.namespaceId, ...options });
  const maintainer = await makeMemberOf(app, project, 'maintainer');
  return { project, maintainer, path: (rest) => `/projects/${project.id}/error_tracking${rest}` };
}

/** The same where errors are collected, with the key that was made for it. */
export async function makeCollecting(
  app: TestApp,
  options: Partial<ProjectOptions> = {},
): Promise<Place & { key: KeyBody }> {
  const place = await makePlace(app, options);
  const { api } = place.maintainer;
  await api.patch(place.path('/settings?active=true'));
  const { body } = await api.get(place.path('/client_keys'));
  return { ...place, key: (body as [KeyBody])[0] };
}

/** Of an answer what tests compare. */
export function answer({ status, body }: { status: number; body: unknown }): {
  status: number;
  body: unknown;
} {
  return { status, body };
}

/** A refusal in the same form. */
export function problem(status: number, message: string): { status: number; body: object } {
  return { status, body: { message } };
}

/** Makes the project read-only. */
export async function archive(app: TestApp, { id }: MadeProject): Promise<void> {
  await app.dataSource.query('UPDATE projects SET archived = true WHERE id = $1', [id]);
}

/** Returns the audit events of the project's error tracking. */
export function trailOf(app: TestApp, { id }: MadeProject): Promise<unknown[]> {
  return app.dataSource.query(
    `SELECT author_id, action, target_type, target_name, details FROM audit_events
     WHERE entity_type = 'Project' AND entity_id = $1 ORDER BY id`,
    [id],
  );
}
