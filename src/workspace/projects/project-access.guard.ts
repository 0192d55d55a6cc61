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
import { UnauthorizedError } from '../../core/errors.js';
import { parseIdOrPath } from '../../core/params/ids.js';
import { canInProject, type ProjectAbility as Ability } from '../../identity/members/abilities.js';
import {
  judgeContainer,
  requiredAbility,
  SIGNED_IN_KEY,
  viewerId,
} from '../../identity/members/container-access.js';
import { type ProjectRow, ProjectsRepository } from './projects.repository.js';

const COUNTED_KEY = 'guildhall:counted project';

const projects = new WeakMap<Request, ProjectRow>();

/** Keeps the project that a guard let pass, for CurrentProject. */
export function setCurrentProject(request: Request, project: ProjectRow): void {
  projects.set(request, project);
}

/**
 * Decides about the project named by the path parameter `id`, before any parameter is looked at;
 * the order of refusals is that of `viewerId` and `judgeContainer`.
 */
@Injectable()
export class ProjectAccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly projects: ProjectsRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const targets = [context.getHandler(), context.getClass()];
    const viewer = viewerId(request);
    if (viewer === null && this.reflector.getAllAndOverride<boolean>(SIGNED_IN_KEY, targets)) {
      throw new UnauthorizedError();
    }
    const wanted = parseIdOrPath(String(request.params['id']));
    const isCounted =
      viewer !== null && this.reflector.get<true | undefined>(COUNTED_KEY, context.getHandler());
    const found = await this.projects.findByIdOrPath(wanted, viewer, {
      isCounted: isCounted === true,
    });
    const ability = requiredAbility(this.reflector, 'project', context);
    const project = judgeContainer(request, {
      found: found === null ? null : { container: found.project, moved: found.moved },
      collection: 'projects',
      mayRead: (access) => canInProject('read_project', access),
      mayAct: (access) => canInProject(ability, access),
    });
    setCurrentProject(request, project);
    return true;
  }
}

/**
 * Requires an ability of the viewer in the project of the route's `:id`. With `signed_in` anonymous
 * requests get 401 for every project, without it 404 for invisible ones.
 */
export const ProjectAbility = (
  ability: Ability,
  who?: 'signed_in',
): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(ABILITY_KEY, ability),
    SetMetadata(SIGNED_IN_KEY, who === 'signed_in'),
    UseGuards(ProjectAccessGuard),
  );

/** Makes the guard read a CountedProjectRow for signed-in users, which saves a second statement. */
export const CountedProject = (): MethodDecorator => SetMetadata(COUNTED_KEY, true);

/** The project that ProjectAbility or ProjectPage let pass: `get(@CurrentProject() project: ProjectRow)`. */
export const CurrentProject = createParamDecorator(
  (_: unknown, context: ExecutionContext): ProjectRow =>
    currentProject(context.switchToHttp().getRequest<Request>()),
);

/** The same for decorators that take more than the project from a request. */
export function currentProject(request: Request): ProjectRow {
  const project = projects.get(request);
  if (project === undefined) throw new Error('@CurrentProject needs a guard on the route');
  return project;
}
