import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ABILITY_KEY } from '../../core/access/access.decorator.js';
import { authContext } from '../../core/access/auth-context.js';
import { ApiError, ForbiddenError, NotFoundError, UnauthorizedError } from '../../core/errors.js';
import { movedResourceError, type MovedResource } from '../../core/pagination/paging.decorator.js';
import type { ContainerAccess, GroupAbility, ProjectAbility } from './abilities.js';

/** Metadata of routes that refuse anonymous requests before they look for the container. */
export const SIGNED_IN_KEY = 'guildhall:signed in first';

/** Abilities that an endpoint requires in a project and in a group. */
export interface ContainerAbilities {
  project: ProjectAbility;
  group: GroupAbility;
}

export const CONTAINER_ABILITIES_KEY = 'guildhall:container abilities';

/** Requires these abilities on an endpoint that the controllers of projects and of groups share. */
export const ContainerAbility = (abilities: ContainerAbilities): MethodDecorator =>
  SetMetadata(CONTAINER_ABILITIES_KEY, abilities);

/** Returns the ability that an endpoint requires in a project or group. */
export function requiredAbility<K extends keyof ContainerAbilities>(
  reflector: Reflector,
  kind: K,
  context: ExecutionContext,
): ContainerAbilities[K] {
  const handler = context.getHandler();
  const shared = reflector.get<ContainerAbilities | undefined>(CONTAINER_ABILITIES_KEY, handler);
  if (shared !== undefined) return shared[kind];
  return reflector.getAllAndOverride(ABILITY_KEY, [handler, context.getClass()]);
}

/**
 * Returns the ID of the viewer, null for anonymous requests. Throws 401 for an anonymous change.
 */
export function viewerId(request: Request): number | null {
  const { viewer } = authContext(request);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (viewer === null && !isRead) throw new UnauthorizedError();
  return viewer?.id ?? null;
}

interface Judgement<T> {
  /** null = there is none; `moved` = requested by a former path. */
  found: { container: T; moved: boolean } | null;
  collection: MovedResource['collection'];
  mayRead(access: ContainerAccess): boolean;
  mayAct(access: ContainerAccess): boolean;
}

/**
 * Returns the project or group of a request, if the viewer has the ability there:
 * 1. an unknown or invisible one is 404, without a difference;
 * 2. a former path is answered with the new URL (see movedResourceError);
 * 3. a visible one without the ability is 403, for anonymous requests 401.
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

interface PageJudgement<T> {
  /** null = there is none; `moved` = the address holds a path that it no longer has. */
  found: { container: T; moved: boolean } | null;
  /** Path in the address, and the one that the container has by now. */
  asked: string;
  currentPath(container: T): string;
  mayRead(access: ContainerAccess): boolean;
  mayAct(access: ContainerAccess): boolean;
}

/**
 * The project or group that the address of a page names, if the viewer can do there what the page
 * is for. Everything else is 404: who may not use a page need not know that there is one. Reading
 * by a former path leads to the page's new address.
 */
export function judgePage<T extends Omit<ContainerAccess, 'viewer'>>(
  request: Request,
  { found, asked, currentPath, mayRead, mayAct }: PageJudgement<T>,
): T {
  const { viewer } = authContext(request);
  if (found === null) throw new NotFoundError();
  const access = { ...found.container, viewer };
  if (!mayRead(access) || !mayAct(access)) throw new NotFoundError();
  if (found.moved) throw movedPage(request, asked, currentPath(found.container));
  return found.container;
}

/**
 * 302, since the former path can be given to something else; 404 for what would change anything.
 */
function movedPage(request: Request, from: string, to: string): ApiError {
  if (request.method !== 'GET' && request.method !== 'HEAD') return new NotFoundError();
  const location = relocated(request.originalUrl, from.split('/'), to.split('/'));
  return new ApiError(302, {}, { headers: { Location: location }, text: '' });
}

/** The address with some segments of its path replaced, however the client encoded them. */
function relocated(address: string, from: string[], to: string[]): string {
  const [path = '', ...query] = address.split('?');
  const segments = path.split('/');
  const names = segments.map(decodeURIComponent);
  const start = names.findIndex((_, at) => from.every((name, step) => names[at + step] === name));
  segments.splice(start, from.length, ...to.map(encodeURIComponent));
  return [segments.join('/'), ...query].join('?');
}
