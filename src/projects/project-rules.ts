import { QueryFailedError, type EntityManager } from 'typeorm';
import { ValidationFailedError } from '../core/errors.js';
import { TAKEN } from '../groups/group-rules.js';
import type { LockedNamespace } from '../users/namespaces.repository.js';
import { visibilityName } from '../members/visibility.js';

/** Refusal of a name or path that another project of the namespace has, in any case. */
function takenError(taken: { name: boolean; path: boolean }): ValidationFailedError {
  return new ValidationFailedError({
    ...(taken.name && { project_namespace: { name: [TAKEN] }, name: [TAKEN] }),
    ...(taken.path && { path: [TAKEN] }),
  });
}

/**
 * Throws 400 when the namespace has another project of that name or path, or a subgroup of that
 * path. Certain only while the namespace is locked.
 */
export async function assertFree(
  tx: Pick<EntityManager, 'query'>,
  namespaceId: number,
  wanted: { name: string; path: string; exceptId?: number },
): Promise<void> {
  const rows: { name: boolean; path: boolean }[] = await tx.query(
    `SELECT EXISTS (SELECT 1 FROM projects WHERE namespace_id = $1 AND id <> $4
                    AND lower(name) = lower($2)) AS name,
       EXISTS (SELECT 1 FROM projects WHERE namespace_id = $1 AND id <> $4
               AND lower(path) = lower($3))
       OR EXISTS (SELECT 1 FROM namespaces WHERE parent_id = $1 AND lower(path) = lower($3))
       AS path`,
    [namespaceId, wanted.name, wanted.path, wanted.exceptId ?? 0],
  );
  const [taken] = rows;
  if (taken !== undefined && (taken.name || taken.path)) throw takenError(taken);
}

/** What a unique violation of the projects table means; other errors stay what they are. */
export function translateTaken(error: unknown): unknown {
  if (!(error instanceof QueryFailedError)) return error;
  const { constraint } = error.driverError as { constraint?: string };
  if (constraint === 'uq_projects_namespace_name') return takenError({ name: true, path: false });
  if (constraint === 'uq_projects_namespace_path') return takenError({ name: false, path: true });
  return error;
}

/** A project is never more visible than its group (API doc, groups); users' namespaces hold all. */
export function assertVisibilityFits(
  level: number,
  namespace: Pick<LockedNamespace, 'visibility'>,
): void {
  if (namespace.visibility === null || level <= namespace.visibility) return;
  const text = `${visibilityName(level)} is not allowed in a ${visibilityName(namespace.visibility)} group.`;
  throw new ValidationFailedError({ visibility_level: [text] });
}
