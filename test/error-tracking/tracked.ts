import type { TestApp } from '../support/app.js';
import type { MadeActor } from '../support/factories.js';
import {
  makeGroup,
  makeMemberOf,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';

export interface TrackedProject {
  project: MadeProject;
  /** Path below /api/v4. */
  errors: string;
  developer: MadeActor;
}

/** A project with a developer, private unless the options say otherwise. */
export async function makeTracked(
  app: TestApp,
  options: Partial<Parameters<typeof makeProject>[1]> = {},
): Promise<TrackedProject> {
  const group = await makeGroup(app, { visibility: options.visibility ?? 'private' });
  const project = await makeProject(app, { namespaceId: group.id, ...options });
  const developer = await makeMemberOf(app, project, 'developer');
  return { project, errors: `/projects/${project.id}/error_tracking/errors`, developer };
}
