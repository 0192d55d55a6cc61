import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { authContext } from '../../../core/access/auth-context.js';
import { Page } from '../../../core/access/page.decorator.js';
import { pathParam } from '../../../core/params/path-param.js';
import { canInGroup, type GroupAbility } from '../../../identity/members/abilities.js';
import { judgePage } from '../../../identity/members/container-access.js';
import { setCurrentGroup } from '../group-access.guard.js';
import { GroupsRepository } from '../groups.repository.js';

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
    const ability = this.reflector.get<GroupAbility>(KEY, context.getHandler());
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
    setCurrentGroup(request, group);
    return true;
  }
}

/** Marks a page of a group that requires this ability; answers 404 to everyone else. */
export const GroupPage = (
  ability: GroupAbility,
  audience: 'anyone' | 'signed_in',
): MethodDecorator =>
  applyDecorators(Page(audience), SetMetadata(KEY, ability), UseGuards(GroupPageGuard));
