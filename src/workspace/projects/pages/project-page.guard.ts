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
import { ApiError } from '../../../core/errors.js';
import { pathParam } from '../../../core/params/ids.js';
import {
  canInGroup,
  canInProject,
  type ProjectAbility as Ability,
} from '../../../identity/members/abilities.js';
import { judgePage } from '../../../identity/members/container-access.js';
import { GroupsRepository } from '../../groups/groups.repository.js';
import { setCurrentProject } from '../project-access.guard.js';
import { fullPathOf, ProjectsRepository } from '../projects.repository.js';

const KEY = 'guildhall:project-page';

/** Decides about the project whose full path the wildcard `project_path` of an address holds. */
@Injectable()
export class ProjectPageGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly projects: ProjectsRepository,
    private readonly groups: GroupsRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const ability = this.reflector.get<Ability>(KEY, context.getHandler());
    const asked = pathParam(request, 'project_path');
    const viewerId = authContext(request).viewer?.id ?? null;
    const found = await this.projects.findByIdOrPath({ path: asked }, viewerId);
    if (found === null) await this.leadToGroup(request, asked);
    const project = judgePage(request, {
      found: found === null ? null : { container: found.project, moved: found.moved },
      asked,
      currentPath: (project) => fullPathOf(project),
      mayRead: (access) => canInProject('read_project', access),
      mayAct: (access) => canInProject(ability, access),
    });
    setCurrentProject(request, project);
    return true;
  }

  /** Redirects the short address of a subgroup that the viewer can see. */
  private async leadToGroup(request: Request, path: string): Promise<void> {
    if (request.method !== 'GET' || pathOf(request) !== `/${path}`) return;
    const { viewer } = authContext(request);
    const found = await this.groups.findByIdOrPath({ path }, viewer?.id ?? null);
    if (found === null || !canInGroup('read_group', { ...found.group, viewer })) return;
    const Location = `/groups/${found.group.fullPath}`;
    throw new ApiError(302, {}, { headers: { Location }, text: '' });
  }
}

function pathOf({ path }: Request): string {
  return path.split('/').map(decodeURIComponent).join('/');
}

/** Marks a page of a project that requires this ability; answers 404 to everyone else. */
export const ProjectPage = (
  ability: Ability,
  audience: 'anyone' | 'signed_in',
): MethodDecorator =>
  applyDecorators(Page(audience), SetMetadata(KEY, ability), UseGuards(ProjectPageGuard));
