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
import { pathParam } from '../../../core/params/ids.js';
import { canInProject, type ProjectAbility } from '../../../identity/members/abilities.js';
import { judgePage } from '../../../identity/members/container-access.js';
import { setCurrentProject } from '../project-access.guard.js';
import { fullPathOf, ProjectsRepository } from '../projects.repository.js';

const KEY = 'guildhall:project-page';

/** Decides about the project whose full path the wildcard `project_path` of an address holds. */
@Injectable()
export class ProjectPageGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly projects: ProjectsRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const ability = this.reflector.get<ProjectAbility>(KEY, context.getHandler());
    const asked = pathParam(request, 'project_path');
    const viewerId = authContext(request).viewer?.id ?? null;
    const found = await this.projects.findByIdOrPath({ path: asked }, viewerId);
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
}

/** Marks a page of a project that requires this ability; answers 404 to everyone else. */
export const ProjectPage = (
  ability: ProjectAbility,
  audience: 'anyone' | 'signed_in',
): MethodDecorator =>
  applyDecorators(Page(audience), SetMetadata(KEY, ability), UseGuards(ProjectPageGuard));
