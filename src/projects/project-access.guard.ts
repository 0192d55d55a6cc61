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
import { canInProject, type ProjectAbility as Ability } from '../members/abilities.js';
import { ProjectLookup } from './project-lookup.service.js';
import type { ProjectRow } from './project-row.js';

const projects = new WeakMap<Request, ProjectRow>();

/**
 * Decides about the project named by the path parameter `id`, before any parameter is looked at:
 * 1. changing anything needs somebody who is signed in (401);
 * 2. a project that is unknown or invisible is 404, without a difference;
 * 3. an old path is answered with the new address (see movedResourceError);
 * 4. a visible project without the ability is 403.
 */
@Injectable()
export class ProjectAccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly lookup: ProjectLookup,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { viewer } = authContext(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (viewer === null && !isRead) throw new UnauthorizedError();
    const wanted = parseIdOrPath(String(request.params['id']));
    const found = await this.lookup.find(wanted, viewer?.id ?? null);
    if (found === null) throw new NotFoundError('Project');
    const access = { ...found.project, viewer };
    if (!canInProject('read_project', access)) throw new NotFoundError('Project');
    if (found.moved) {
      throw movedResourceError(request, { collection: 'projects', id: found.project.id });
    }
    const targets = [context.getHandler(), context.getClass()];
    const ability = this.reflector.getAllAndOverride<Ability>(ABILITY_KEY, targets);
    if (!canInProject(ability, access)) {
      throw viewer === null ? new UnauthorizedError() : new ForbiddenError();
    }
    projects.set(request, found.project);
    return true;
  }
}

/** What the asker must be allowed to do in the project of the route's `:id`. */
export const ProjectAbility = (ability: Ability): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(ABILITY_KEY, ability), UseGuards(ProjectAccessGuard));

/** The project that ProjectAbility let pass: `get(@CurrentProject() project: ProjectRow)`. */
export const CurrentProject = createParamDecorator(
  (_: unknown, context: ExecutionContext): ProjectRow => {
    const project = projects.get(context.switchToHttp().getRequest<Request>());
    if (project === undefined) {
      throw new Error('@CurrentProject needs @ProjectAbility on the route');
    }
    return project;
  },
);
