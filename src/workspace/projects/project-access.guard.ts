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
import { authContext } from '../../core/access/auth-context.js';
import { ApiError, UnauthorizedError } from '../../core/errors.js';
import { parseIdOrPath, pathParam } from '../../core/params/ids.js';
import {
  canInGroup,
  canInProject,
  type ProjectAbility as Ability,
} from '../../identity/members/abilities.js';
import {
  judgeContainer,
  judgePage,
  requiredAbility,
  SIGNED_IN_KEY,
  viewerId,
} from '../../identity/members/container-access.js';
import { GroupsRepository } from '../groups/groups.repository.js';
import { fullPathOf, ProjectsRepository, type ProjectRow } from './projects.repository.js';
import type { ProjectColumns } from './sql/project-statements.js';

const COLUMNS_KEY = 'guildhall:project columns';
const PAGE_KEY = 'guildhall:project-page';

const projects = new WeakMap<Request, ProjectRow>();

/** Keeps the project that a guard let pass, for CurrentProject. */
function setCurrentProject(request: Request, project: ProjectRow): void {
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
    const columns = this.reflector.get<ProjectColumns | undefined>(
      COLUMNS_KEY,
      context.getHandler(),
    );
    const found = await this.projects.findByIdOrPath(wanted, viewer, columnsFor(viewer, columns));
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
export const CountedProject = (): MethodDecorator => SetMetadata(COLUMNS_KEY, 'counted');

/** Makes the guard read a BriefProjectRow, for lists: it takes a third less than a ProjectRow. */
export const BriefProject = (): MethodDecorator => SetMetadata(COLUMNS_KEY, 'brief');

/** Anonymous callers see a project without counts. */
function columnsFor(viewer: number | null, wanted: ProjectColumns = 'whole'): ProjectColumns {
  return viewer === null && wanted === 'counted' ? 'whole' : wanted;
}

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
    const ability = this.reflector.get<Ability>(PAGE_KEY, context.getHandler());
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
export const ProjectPage = (ability: Ability, audience: 'anyone' | 'signed_in'): MethodDecorator =>
  applyDecorators(Page(audience), SetMetadata(PAGE_KEY, ability), UseGuards(ProjectPageGuard));
