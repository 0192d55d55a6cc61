import { Controller, Post } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Auth, CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { InvalidParamsError, NotFoundError } from '../../core/errors.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { VisibleNamespacesRepository } from '../groups/visible-namespaces.repository.js';
import { UsersRepository } from '../../identity/users/users.repository.js';
import { CreateProjectDto } from './project.dto.js';
import type { ProjectResponse } from './project.response.js';
import { ProjectCreationService } from './project-creation.service.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectNamespaces } from './project-namespaces.service.js';
import { presentProjectWithAccess } from './project.presenter.js';

/** Creating projects, for oneself and (administrators) for someone else. */
@Controller('projects')
@Scopes()
export class ProjectCreationController {
  constructor(
    private readonly users: UsersRepository,
    private readonly creation: ProjectCreationService,
    private readonly projects: ProjectsRepository,
    private readonly projectNamespaces: ProjectNamespaces,
    private readonly namespaces: VisibleNamespacesRepository,
  ) {}

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
    const namespaceId = await this.projectNamespaces.findForNew(dto.namespace_id, viewer);
    const input = { dto, namespaceId, creator: viewer, viewer };
    const id = await this.creation.create(input, auth);
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
    const id = await this.creation.create({ dto, namespaceId, creator, viewer }, auth);
    return presentProjectWithAccess(await this.projects.getById(id, viewer.id), presentation);
  }
}

function assertNamed(dto: CreateProjectDto): void {
  if (dto.name || dto.path) return;
  const text = 'name, path are missing, at least one parameter must be provided';
  throw new InvalidParamsError([text]);
}
