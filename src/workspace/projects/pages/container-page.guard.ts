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
import { Page } from '../../../core/access/access.decorator.js';
import { authContext } from '../../../core/access/auth-context.js';
import { atRoot } from '../../../core/http/paths.js';
import { pathParam } from '../../../core/params/ids.js';
import type { PageInfo } from '../../../core/ui/page-context.js';
import {
  canInGroup,
  canInProject,
  type GroupAbility,
  type ProjectAbility,
} from '../../../identity/members/abilities.js';
import { judgePage, type ContainerAbilities } from '../../../identity/members/container-access.js';
import {
  groupSource,
  projectSource,
  type MemberSource,
} from '../../../identity/members/member-source.js';
import { GroupsRepository, type GroupRow } from '../../groups/groups.repository.js';
import { groupInfo } from '../../groups/pages/group-frame.js';
import { fullPathOf, ProjectsRepository, type ProjectRow } from '../projects.repository.js';
import { projectInfo } from './project-frame.js';

/** The project or group of a page that both have. */
export type PageContainer = {
  fullPath: string;
  /** Address of its overview. */
  path: string;
  /** Level of the viewer. */
  accessLevel: number;
  source: MemberSource;
  /** Returns title, breadcrumbs and sidebar of a page. */
  info(title: string): PageInfo;
  can(abilities: ContainerAbilities): boolean;
} & ({ kind: 'project'; project: ProjectRow } | { kind: 'group'; group: GroupRow });

/** Paths of a controller with a page of projects and groups: `@Controller(ofContainer('activity'))`. */
export function ofContainer(project: string, group = project): string[] {
  return [atRoot(`groups/*group_path/-/${group}`), atRoot(`*project_path/-/${project}`)];
}

const KEY = 'guildhall:container-page';

const containers = new WeakMap<Request, PageContainer>();

/** Decides about the group or project whose full path a wildcard of the address holds. */
@Injectable()
export class ContainerPageGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly projects: ProjectsRepository,
    private readonly groups: GroupsRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const abilities = this.reflector.get<ContainerAbilities>(KEY, context.getHandler());
    const isGroup = request.params['group_path'] !== undefined;
    const container = isGroup
      ? await this.group(request, abilities.group)
      : await this.project(request, abilities.project);
    containers.set(request, container);
    return true;
  }

  private async group(request: Request, ability: GroupAbility): Promise<PageContainer> {
    const { viewer } = authContext(request);
    const asked = pathParam(request, 'group_path');
    const found = await this.groups.findByIdOrPath({ path: asked }, viewer?.id ?? null);
    const group = judgePage(request, {
      found: found === null ? null : { container: found.group, moved: found.moved },
      asked,
      currentPath: ({ fullPath }) => fullPath,
      mayRead: (access) => canInGroup('read_group', access),
      mayAct: (access) => canInGroup(ability, access),
    });
    const { fullPath, accessLevel } = group;
    return {
      kind: 'group',
      group,
      ...{ fullPath, accessLevel, path: `/groups/${fullPath}`, source: groupSource(group) },
      info: (title) => groupInfo(group, title),
      can: (wanted) => canInGroup(wanted.group, { ...group, viewer }),
    };
  }

  private async project(request: Request, ability: ProjectAbility): Promise<PageContainer> {
    const { viewer } = authContext(request);
    const asked = pathParam(request, 'project_path');
    const found = await this.projects.findByIdOrPath({ path: asked }, viewer?.id ?? null);
    const project = judgePage(request, {
      found: found === null ? null : { container: found.project, moved: found.moved },
      asked,
      currentPath: (current) => fullPathOf(current),
      mayRead: (access) => canInProject('read_project', access),
      mayAct: (access) => canInProject(ability, access),
    });
    const { accessLevel } = project;
    const fullPath = fullPathOf(project);
    return {
      kind: 'project',
      project,
      ...{ fullPath, accessLevel, path: `/${fullPath}`, source: projectSource(project) },
      info: (title) => projectInfo(project, title),
      can: (wanted) => canInProject(wanted.project, { ...project, viewer }),
    };
  }
}

/** Marks a page of projects and groups that requires these abilities; 404 for everyone else. */
export const ContainerPage = (
  abilities: ContainerAbilities,
  audience: 'anyone' | 'signed_in',
): MethodDecorator =>
  applyDecorators(Page(audience), SetMetadata(KEY, abilities), UseGuards(ContainerPageGuard));

/** The project or group that ContainerPage let pass: `show(@CurrentContainer() container: PageContainer)`. */
export const CurrentContainer = createParamDecorator(
  (_: unknown, context: ExecutionContext): PageContainer => {
    const container = containers.get(context.switchToHttp().getRequest<Request>());
    if (container === undefined) throw new Error('@CurrentContainer needs a guard on the route');
    return container;
  },
);
