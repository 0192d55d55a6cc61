import { QueryFailedError } from 'typeorm';
import { ForbiddenError, MethodNotAllowedError, ValidationFailedError } from '../../core/errors.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { TAKEN } from '../groups/group-rules.js';
import type { LockedNamespace } from '../../identity/users/namespaces.repository.js';
import { visibilityName } from '../../identity/members/visibility.js';
import type { NewNotification } from '../../core/activity/notification-kinds.js';
import type { AuthContext } from '../../core/access/auth-context.js';

const DEEPEST_OFFSET = 50_000;
const TOO_DEEP = `Offset pagination has a maximum allowed offset of ${DEEPEST_OFFSET} for requests that return objects of type Project. Remaining records can be retrieved using keyset pagination.`;

/** Throws 405 for a page that can be reached by keyset pagination only. */
export function assertNotTooDeep({ page, perPage }: Paging): void {
  if (page * perPage > DEEPEST_OFFSET) throw new MethodNotAllowedError({ error: TOO_DEEP });
}

/** Returns the refusal of a name or path that another project of the namespace has, in any case. */
export function takenError(taken: { name: boolean; path: boolean }): ValidationFailedError {
  return new ValidationFailedError({
    ...(taken.name && { project_namespace: { name: [TAKEN] }, name: [TAKEN] }),
    ...(taken.path && { path: [TAKEN] }),
  });
}

/** Throws 403 in an archived project, which is read-only for everyone. */
export function assertTakesChanges({ archived }: { archived: boolean }): void {
  if (archived) throw new ForbiddenError();
}

/** Returns the refusal for a unique violation of the projects table, and other errors unchanged. */
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

/**
 * Returns the notification of a changed project path for owners and maintainers. Only for a move of
 * the project itself: when a group moves, its former paths redirect to everything below, and an
 * email for each project would flood the maintainers.
 */
export function movedNotification(
  { id, formerPath }: { id: number; formerPath: string },
  { viewer }: Pick<AuthContext, 'viewer'>,
): NewNotification {
  return {
    kind: 'moved_project',
    projectId: id,
    actorId: viewer?.id ?? null,
    target: { type: 'project', id },
    details: { formerPath },
  };
}
