import type { TestApp } from '../support/app.js';
import type { MadeActor } from '../support/factories.js';
import {
  makeGroup,
  makeMemberOf,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';

export interface ManagedProject {
  project: MadeProject;
  /** Path below /api/v4. */
  alerts: string;
  developer: MadeActor;
}

/** A project with a developer, private unless the options say otherwise. */
export async function makeManaged(
  app: TestApp,
  options: Partial<Parameters<typeof makeProject>[1]> = {},
): Promise<ManagedProject> {
  const group = await makeGroup(app, { visibility: options.visibility ?? 'private' });
  const project = await makeProject(app, { namespaceId: group.id, ...options });
  const developer = await makeMemberOf(app, project, 'developer');
  return { project, alerts: `/projects/${project.id}/alert_management_alerts`, developer };
}

/** Texts of an alert's notes, oldest first. */
export async function notesOf({ dataSource }: TestApp, alertId: number): Promise<string[]> {
  const rows = await dataSource.query<{ body: string }[]>(
    'SELECT body FROM notes WHERE alert_id = $1 ORDER BY id',
    [alertId],
  );
  return rows.map(({ body }) => body);
}
