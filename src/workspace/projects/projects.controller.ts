import { Controller, Delete, Get, HttpCode, Post, Put, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  Auth,
  CurrentUser,
  type AuthContext,
  type Viewer,
} from '../../core/access/auth-context.js';
import { ACCEPTED, type Accepted } from '../../core/http/http-response.js';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors, ApiProduces } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input, assertSomethingGiven } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import {
  presentTransferLocation,
  transferLocations,
  type TransferLocationResponse,
} from '../groups/group-transfer.service.js';
import { ListTransferLocationsDto } from '../groups/group.dto.js';
import type { ProjectResponse, ProjectBasicResponse } from './project.response.js';
import { CountedProject, CurrentProject, ProjectAbility } from './project-access.guard.js';
import { ProjectTransferService } from './project-transfer.service.js';
import { ProjectUpdateService } from './project-update.service.js';
import {
  TransferProjectDto,
  UPDATABLE_ATTRIBUTES,
  UpdateProjectDto,
  CreateProjectDto,
} from './project.dto.js';
import { presentProjectBasic, presentProjectWithAccess } from './project.presenter.js';
import {
  ProjectsRepository,
  type CountedProjectRow,
  type ProjectRow,
} from './projects.repository.js';
import { InvalidParamsError, NotFoundError } from '../../core/errors.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { GroupsRepository } from '../groups/groups.repository.js';
import { VisibleNamespacesRepository } from '../groups/visible-namespaces.repository.js';
import { UsersRepository } from '../../identity/users/users.repository.js';
import { ProjectDeletionService, ProjectsService } from './projects.service.js';
import { AvatarWidthDto } from '../../core/avatars/avatar.dto.js';
import { Avatars } from '../../core/avatars/avatars.service.js';
import { atRoot } from '../../core/http/paths.js';
import { VISIBILITY } from '../../identity/members/visibility.js';

/** Creates, shows, changes, archives, transfers and deletes projects. */
@Controller('projects')
@Scopes()
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly updates: ProjectUpdateService,
    private readonly transfers: ProjectTransferService,
    private readonly users: UsersRepository,
    private readonly service: ProjectsService,
    private readonly deletion: ProjectDeletionService,
    private readonly namespaces: VisibleNamespacesRepository,
    private readonly groups: GroupsRepository,
  ) {}

  /** Shows a project: in short form for anonymous requests. */
  @Get(':id')
  @CountedProject()
  @ProjectAbility('read_project')
  show(
    @CurrentProject() project: ProjectRow | CountedProjectRow,
    @ResponseContext() presentation: ResponseContext,
  ): ProjectBasicResponse | ProjectResponse {
    return 'openIssuesCount' in project
      ? presentProjectWithAccess(project, presentation)
      : presentProjectBasic(project, presentation);
  }

  /**
   * Changes a project. Name, path, visibility and `emails_enabled` require the Owner role; another
   * `repository_storage`, from an administrator, schedules a move.
   */
  @Put(':id')
  @ApiErrors(409)
  @ProjectAbility('admin_project')
  async update(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateProjectDto,
    @Auth() auth: AuthContext,
    @ResponseContext() presentation: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<ProjectResponse> {
    assertSomethingGiven(dto, UPDATABLE_ATTRIBUTES);
    preconditions.check(project.updatedAt);
    await this.updates.update(project, dto, auth);
    const updated = await this.projects.getById(project.id, auth.viewer?.id ?? null);
    return presentProjectWithAccess(updated, presentation);
  }

  /** Deletes a project. It is hidden immediately and removed in the background. */
  @Delete(':id')
  @HttpCode(202)
  @ApiErrors(409)
  @ProjectAbility('own_project')
  async delete(
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<Accepted> {
    preconditions.check(project.updatedAt);
    await this.deletion.request(project, auth);
    return ACCEPTED;
  }

  /** Archives a project, which becomes read-only for everyone. */
  @Post(':id/archive')
  @ProjectAbility('own_project')
  async archive(
    @CurrentProject() { id }: ProjectRow,
    @Auth() auth: AuthContext,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<ProjectResponse> {
    await this.updates.setArchived(id, true, auth);
    return this.answer(id, presentation);
  }

  /** Makes an archived project writable again. */
  @Post(':id/unarchive')
  @ProjectAbility('own_project')
  async unarchive(
    @CurrentProject() { id }: ProjectRow,
    @Auth() auth: AuthContext,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<ProjectResponse> {
    await this.updates.setArchived(id, false, auth);
    return this.answer(id, presentation);
  }

  /** Transfers a project to another namespace; its former path redirects. */
  @Put(':id/transfer')
  @ProjectAbility('own_project')
  async transfer(
    @CurrentProject() project: ProjectRow,
    @Input() dto: TransferProjectDto,
    @Auth() auth: AuthContext,
    @ResponseContext() presentation: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<ProjectResponse> {
    preconditions.check(project.updatedAt);
    await this.transfers.transfer(project, dto.namespace, auth);
    return this.answer(project.id, presentation);
  }

  /** Lists the groups to which the viewer can transfer a project. */
  @Get(':id/transfer_locations')
  @ProjectAbility('own_project')
  async transferLocations(
    @CurrentProject() project: ProjectRow,
    @Input() { search }: ListTransferLocationsDto,
    @ResponseContext() { viewer, baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<TransferLocationResponse[]> {
    const moved = { kind: 'project', groupId: project.namespaceId } as const;
    const page = await this.groups.list(transferLocations(moved, viewer, search), paging);
    return paging.write(mapPage(page, (row) => presentTransferLocation(row, baseUrl)));
  }

  private async answer(id: number, presentation: ResponseContext): Promise<ProjectResponse> {
    const project = await this.projects.getById(id, presentation.viewer?.id ?? null);
    return presentProjectWithAccess(project, presentation);
  }

  /** Creates a project with its repository; `name` or `path` is required. */
  @Post()
  @Ability('signed_in')
  async create(
    @Input() dto: CreateProjectDto,
    @CurrentUser() viewer: Viewer,
    @Auth() auth: AuthContext,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<ProjectResponse> {
    assertNamed(dto);
    const namespaceId = await this.service.findForNew(dto.namespace_id, viewer);
    const input = { dto, namespaceId, creator: viewer, viewer };
    const id = await this.service.create(input, auth);
    return presentProjectWithAccess(await this.projects.getById(id, viewer.id), presentation);
  }

  /** Creates a project in a user's own namespace. */
  @Post('user/:user_id')
  @Ability('administrate')
  async createForUser(
    @IntegerId('user_id') userId: number,
    @Input() dto: CreateProjectDto,
    @CurrentUser() viewer: Viewer,
    @Auth() auth: AuthContext,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<ProjectResponse> {
    assertNamed(dto);
    const creator = await this.users.findDetails(userId);
    const namespaceId = await this.namespaces.findIdOfUser(userId);
    if (creator === null || namespaceId === null) throw new NotFoundError('User');
    const id = await this.service.create({ dto, namespaceId, creator, viewer }, auth);
    return presentProjectWithAccess(await this.projects.getById(id, viewer.id), presentation);
  }
}

function assertNamed(dto: CreateProjectDto): void {
  if (dto.name || dto.path) return;
  const text = 'name, path are missing, at least one parameter must be provided';
  throw new InvalidParamsError([text]);
}

/** Avatars of projects, for those who can see the project. */
@Controller()
@Scopes()
@ProjectAbility('read_project')
export class ProjectAvatarsController {
  constructor(private readonly avatars: Avatars) {}

  /** Sends a project's avatar. */
  @Get('projects/:id/avatar')
  @ApiProduces('image/webp')
  async download(@CurrentProject() project: ProjectRow, @Res() response: Response): Promise<void> {
    await this.send(response, project, { file: null, width: null });
  }

  /** Sends a project's avatar by its `avatar_url`. */
  @Get(atRoot('uploads/-/system/project/avatar/:id/:file_name'))
  @ApiProduces('image/webp')
  @ApiErrors(301, 400, 401, 403, 404, 429)
  async show(
    @CurrentProject() project: ProjectRow,
    @Param('file_name') file: string,
    @Input() { width }: AvatarWidthDto,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(response, project, { file, width: width ?? null });
  }

  private send(
    response: Response,
    owner: ProjectRow,
    asked: { file: string | null; width: number | null },
  ): Promise<void> {
    const isPrivate = owner.visibility !== VISIBILITY.public;
    return this.avatars.send(response, { kind: 'project', owner, isPrivate, ...asked });
  }
}
