import type { EntityManager } from 'typeorm';
import { ForbiddenError, NotFoundError } from '../core/errors.js';
import type { ProjectRow } from './project-row.js';

/** 403 in an archived project, which is read-only for everyone. */
export function assertTakesChanges({ archived }: Pick<ProjectRow, 'archived'>): void {
  if (archived) throw new ForbiddenError();
}

/**
 * Lets changes of what a project has beside itself follow one after the other: its row is kept until
 * the transaction ends. Throws 404 when it is being deleted, 403 when it is archived.
 */
export async function lockForChange(tx: EntityManager, projectId: number): Promise<void> {
  const [project] = await tx.query<{ archived: boolean }[]>(
    `SELECT archived FROM projects WHERE id = $1 AND NOT pending_delete FOR NO KEY UPDATE`,
    [projectId],
  );
  if (project === undefined) throw new NotFoundError('Project');
  assertTakesChanges(project);
}
