import type { Request } from 'express';
import { authContext } from '../core/access/auth-context.js';
import { ForbiddenError, NotFoundError, UnauthorizedError } from '../core/errors.js';
import { movedResourceError, type MovedResource } from '../core/moved-resource.js';
import type { ContainerAccess } from './abilities.js';

/** ID of who asks, null for anonymous; throws 401 for an anonymous change, whatever it is about. */
export function viewerId(request: Request): number | null {
  const { viewer } = authContext(request);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (viewer === null && !isRead) throw new UnauthorizedError();
  return viewer?.id ?? null;
}

interface Judgement<T> {
  /** null = there is none; `moved` = it was asked for by a path that it no longer has. */
  found: { container: T; moved: boolean } | null;
  collection: MovedResource['collection'];
  mayRead(access: ContainerAccess): boolean;
  mayAct(access: ContainerAccess): boolean;
}

/**
 * The project or group that a request names, if the viewer may do there what they want:
 * 1. one that is unknown or invisible is 404, without a difference;
 * 2. an old path is answered with the new address (see movedResourceError);
 * 3. a visible one without the ability is 403, for anonymous callers 401.
 */
export function judgeContainer<T extends { id: number } & Omit<ContainerAccess, 'viewer'>>(
  request: Request,
  { found, collection, mayRead, mayAct }: Judgement<T>,
): T {
  const { viewer } = authContext(request);
  const isSeen = found !== null && mayRead({ ...found.container, viewer });
  if (!isSeen) throw new NotFoundError(collection === 'projects' ? 'Project' : 'Group');
  const { container, moved } = found;
  if (moved) throw movedResourceError(request, { collection, id: container.id });
  if (mayAct({ ...container, viewer })) return container;
  throw viewer === null ? new UnauthorizedError() : new ForbiddenError();
}
