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
import { ABILITY_KEY } from '../core/access/access.decorator.js';
import { authContext } from '../core/access/auth-context.js';
import { ForbiddenError, NotFoundError, UnauthorizedError } from '../core/errors.js';
import { movedResourceError } from '../core/moved-resource.js';
import { parseIdOrPath } from '../core/params/ids.js';
import { canInGroup, type GroupAbility as Ability } from '../members/abilities.js';
import { GroupLookup } from './group-lookup.service.js';
import type { GroupRow } from './group-row.js';

const groups = new WeakMap<Request, GroupRow>();

/**
 * Decides about the group named by the path parameter `id`, before any parameter is looked at:
 * 1. changing anything needs somebody who is signed in (401);
 * 2. a group that is unknown or invisible is 404, without a difference;
 * 3. an old path is answered with the new address (see movedResourceError);
 * 4. a visible group without the ability is 403.
 */
@Injectable()
export class GroupAccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly lookup: GroupLookup,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { viewer } = authContext(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (viewer === null && !isRead) throw new UnauthorizedError();
    const wanted = parseIdOrPath(String(request.params['id']));
    const found = await this.lookup.find(wanted, viewer?.id ?? null);
    if (found === null) throw new NotFoundError('Group');
    const access = { ...found.group, viewer };
    if (!canInGroup('read_group', access)) throw new NotFoundError('Group');
    if (found.moved) {
      throw movedResourceError(request, { collection: 'groups', id: found.group.id });
    }
    const targets = [context.getHandler(), context.getClass()];
    const ability = this.reflector.getAllAndOverride<Ability>(ABILITY_KEY, targets);
    if (!canInGroup(ability, access)) {
      throw viewer === null ? new UnauthorizedError() : new ForbiddenError();
    }
    groups.set(request, found.group);
    return true;
  }
}

/** What the asker must be allowed to do in the group of the route's `:id`. */
export const GroupAbility = (ability: Ability): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(ABILITY_KEY, ability), UseGuards(GroupAccessGuard));

/** The group that GroupAbility let pass: `get(@CurrentGroup() group: GroupRow)`. */
export const CurrentGroup = createParamDecorator(
  (_: unknown, context: ExecutionContext): GroupRow => {
    const group = groups.get(context.switchToHttp().getRequest<Request>());
    if (group === undefined) throw new Error('@CurrentGroup needs @GroupAbility on the route');
    return group;
  },
);
