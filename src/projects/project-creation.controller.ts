import { Controller, Post } from '@nestjs/common';
import { Ability, Scopes } from '../core/access/access.decorator.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { Auth, CurrentUser } from '../core/access/viewer.decorator.js';
import type { Viewer } from '../core/access/viewer.js';
import { InvalidParamsError, NotFoundError } from '../core/errors.js';
import { IntegerId } from '../core/params/ids.js';
import { Input } from '../core/params/input.decorator.js';
import { ResponseContext } from '../core/response-context.js';
import { Sql } from '../core/sql/sql.service.js';
import { CreateProjectDto } from './dto/create-project.dto.js';
import type { PresentedProject } from './presented-project.js';
import { ProjectCreationService } from './project-creation.service.js';
import { ProjectLookup } from './project-lookup.service.js';
import { ProjectPlaces } from './project-places.service.js';
import { presentProjectWithAccess } from './project.presenter.js';

interface Owner {
  id: number;
  name: string;
  email: string;
}

/** Creating projects, for oneself and (administrators) for someone else. */
@Controller('projects')
@Scopes()
export class ProjectCreationController {
  constructor(
    private readonly sql: Sql,
    private readonly creation: ProjectCreationService,
    private readonly lookup: ProjectLookup,
    private readonly places: ProjectPlaces,
  ) {}

  /** Creates a project with its repository; `name` or `path` is needed. */
  @Post()
  @Ability('signed_in')
  async create(
    @Input() dto: CreateProjectDto,
    @CurrentUser() viewer: Viewer,
    @Auth() auth: AuthContext,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<PresentedProject> {
    assertNamed(dto);
    const namespaceId = await this.places.placeForNew(dto.namespace_id, viewer);
    const input = { dto, namespaceId, creator: viewer, viewer };
    const id = await this.creation.create(input, auth);
    return presentProjectWithAccess(await this.lookup.get(id, viewer.id), presentation);
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
  ): Promise<PresentedProject> {
    assertNamed(dto);
    const creator = await this.sql.row<Owner>('SELECT id, name, email FROM users WHERE id = $1', [
      userId,
    ]);
    const namespaceId = await this.places.ownNamespaceId(userId);
    if (creator === null || namespaceId === null) throw new NotFoundError('User');
    const id = await this.creation.create({ dto, namespaceId, creator, viewer }, auth);
    return presentProjectWithAccess(await this.lookup.get(id, viewer.id), presentation);
  }
}

function assertNamed(dto: CreateProjectDto): void {
  if (dto.name || dto.path) return;
  const text = 'name, path are missing, at least one parameter must be provided';
  throw new InvalidParamsError([text]);
}
