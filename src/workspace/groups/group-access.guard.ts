import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ABILITY_KEY, Page } from '../../core/access/access.decorator.js';
import { UnauthorizedError } from '../../core/errors.js';
import { parseIdOrPath, pathParam } from '../../core/params/ids.js';
import { canInGroup, type GroupAbility as Ability } from '../../identity/members/abilities.js';
import {
  judgeContainer,
  judgePage,
  requiredAbility,
  SIGNED_IN_KEY,
  viewerId,
} from '../../identity/members/container-access.js';
import { type GroupRow, GroupsRepository } from './groups.repository.js';
import { authContext } from '../../core/access/auth-context.js';

/** The groups that a guard let pass, for CurrentGroup. */
const groups = new WeakMap<Request, GroupRow>();

/**
 * Decides about the group named by the path parameter `id`, before any parameter is looked at;
 * the order of refusals is that of `viewerId` and `judgeContainer`.
 */
@Injectable()
export class GroupAccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly groups: GroupsRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const targets = [context.getHandler(), context.getClass()];
    const viewer = viewerId(request);
    if (viewer === null && this.reflector.getAllAndOverride<boolean>(SIGNED_IN_KEY, targets)) {
      throw new UnauthorizedError();
    }
    const wanted = parseIdOrPath(String(request.params['id']));
    const found = await this.groups.findByIdOrPath(wanted, viewer);
    const ability = requiredAbility(this.reflector, 'group', context);
    const group = judgeContainer(request, {
      found: found === null ? null : { container: found.group, moved: found.moved },
      collection: 'groups',
      mayRead: (access) => canInGroup('read_group', access),
      mayAct: (access) => canInGroup(ability, access),
    });
    groups.set(request, group);
    return true;
  }
}

/**
 * Requires an ability of the viewer in the group of the route's `:id`. With `signed_in` anonymous
 * requests get 401 for every group, without it 404 for invisible ones.
 */
export const GroupAbility = (
  ability: Ability,
  who?: 'signed_in',
): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(ABILITY_KEY, ability),
    SetMetadata(SIGNED_IN_KEY, who === 'signed_in'),
    UseGuards(GroupAccessGuard),
  );

/** The group that GroupAbility or GroupPage let pass: `get(@CurrentGroup() group: GroupRow)`. */
export const CurrentGroup = createParamDecorator(
  (_: unknown, context: ExecutionContext): GroupRow => {
    const group = findCurrentGroup(context.switchToHttp().getRequest<Request>());
    if (group === null) throw new Error('@CurrentGroup needs a guard on the route');
    return group;
  },
);

/** Returns null for a request that no guard of groups let pass, such as one for a project. */
export function findCurrentGroup(request: Request): GroupRow | null {
  return groups.get(request) ?? null;
}

const KEY = 'guildhall:group-page';

/** Decides about the group whose full path the wildcard `group_path` of a page's address holds. */
@Injectable()
export class GroupPageGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly groups: GroupsRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const ability = this.reflector.get<Ability>(KEY, context.getHandler());
    const asked = pathParam(request, 'group_path');
    const viewerId = authContext(request).viewer?.id ?? null;
    const found = await this.groups.findByIdOrPath({ path: asked }, viewerId);
    const group = judgePage(request, {
      found: found === null ? null : { container: found.group, moved: found.moved },
      asked,
      currentPath: ({ fullPath }) => fullPath,
      mayRead: (access) => canInGroup('read_group', access),
      mayAct: (access) => canInGroup(ability, access),
    });
    groups.set(request, group);
    return true;
  }
}

/** Marks a page of a group that requires this ability; answers 404 to everyone else. */
export const GroupPage = (ability: Ability, audience: 'anyone' | 'signed_in'): MethodDecorator =>
  applyDecorators(Page(audience), SetMetadata(KEY, ability), UseGuards(GroupPageGuard));
