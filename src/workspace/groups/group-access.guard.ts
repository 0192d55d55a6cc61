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
import { ABILITY_KEY } from '../../core/access/access.decorator.js';
import { parseIdOrPath } from '../../core/params/ids.js';
import { canInGroup, type GroupAbility as Ability } from '../../identity/members/abilities.js';
import { viewerId, judgeContainer } from '../../identity/members/container-access.js';
import { type GroupRow, GroupsRepository } from './groups.repository.js';

const groups = new WeakMap<Request, GroupRow>();

/** Keeps the group that a guard let pass, for CurrentGroup. */
export function setCurrentGroup(request: Request, group: GroupRow): void {
  groups.set(request, group);
}

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
    const wanted = parseIdOrPath(String(request.params['id']));
    const found = await this.groups.findByIdOrPath(wanted, viewerId(request));
    const targets = [context.getHandler(), context.getClass()];
    const ability = this.reflector.getAllAndOverride<Ability>(ABILITY_KEY, targets);
    const group = judgeContainer(request, {
      found: found === null ? null : { container: found.group, moved: found.moved },
      collection: 'groups',
      mayRead: (access) => canInGroup('read_group', access),
      mayAct: (access) => canInGroup(ability, access),
    });
    setCurrentGroup(request, group);
    return true;
  }
}

/** Requires an ability of the viewer in the group of the route's `:id`. */
export const GroupAbility = (ability: Ability): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(ABILITY_KEY, ability), UseGuards(GroupAccessGuard));

/** The group that GroupAbility or GroupPage let pass: `get(@CurrentGroup() group: GroupRow)`. */
export const CurrentGroup = createParamDecorator(
  (_: unknown, context: ExecutionContext): GroupRow => {
    const group = groups.get(context.switchToHttp().getRequest<Request>());
    if (group === undefined) throw new Error('@CurrentGroup needs a guard on the route');
    return group;
  },
);
