import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import {
  EnvironmentsRepository,
  type EnvironmentRow,
  type EnvironmentState,
  type EnvironmentTier,
} from './environments.repository.js';
import { assertTakesEnvironments, EnvironmentsService } from './environments.service.js';
import {
  CreateEnvironmentDto,
  ListEnvironmentsDto,
  UpdateEnvironmentDto,
} from './environment.dto.js';

/** Where a project runs; alerts refer to environments by name. */
@Controller('projects/:id/environments')
@Scopes()
export class EnvironmentsController {
  constructor(
    private readonly repository: EnvironmentsRepository,
    private readonly environments: EnvironmentsService,
  ) {}

  /** Lists the environments of a project. */
  @Get()
  @ProjectAbility('read_environment')
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListEnvironmentsDto,
    @Pages() paging: Paging,
  ): Promise<EnvironmentResponse[]> {
    const page = await this.repository.list(project.id, filters, paging);
    return paging.write(mapPage(page, presentEnvironment));
  }

  /** Shows an environment. */
  @Get(':environment_id')
  @ProjectAbility('read_environment')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('environment_id') id: number,
  ): Promise<EnvironmentResponse> {
    return presentEnvironment(await this.repository.findInProject(project.id, id));
  }

  /** Creates an environment. */
  @Post()
  @RateLimit('create')
  @ProjectAbility('admin_environment')
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateEnvironmentDto,
  ): Promise<EnvironmentResponse> {
    assertTakesEnvironments(project);
    const id = await this.environments.create(project.id, dto);
    return presentEnvironment(await this.repository.findInProject(project.id, id));
  }

  /** Updates an environment; its slug is kept. */
  @Put(':environment_id')
  @ProjectAbility('admin_environment')
  async update(
    @CurrentProject() project: ProjectRow,
    @IntegerId('environment_id') id: number,
    @Input() dto: UpdateEnvironmentDto,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<EnvironmentResponse> {
    assertTakesEnvironments(project);
    preconditions.check((await this.repository.findInProject(project.id, id)).updatedAt);
    await this.environments.update(id, dto);
    return presentEnvironment(await this.repository.findInProject(project.id, id));
  }

  /** Stops an environment, which can then be deleted. */
  @Post(':environment_id/stop')
  @HttpCode(200)
  @ProjectAbility('admin_environment')
  async stop(
    @CurrentProject() project: ProjectRow,
    @IntegerId('environment_id') id: number,
  ): Promise<EnvironmentResponse> {
    assertTakesEnvironments(project);
    await this.environments.stop(await this.repository.findInProject(project.id, id));
    return presentEnvironment(await this.repository.findInProject(project.id, id));
  }

  /** Deletes a stopped environment. */
  @Delete(':environment_id')
  @HttpCode(204)
  @ProjectAbility('admin_environment')
  async delete(
    @CurrentProject() project: ProjectRow,
    @IntegerId('environment_id') id: number,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    assertTakesEnvironments(project);
    preconditions.check((await this.repository.findInProject(project.id, id)).updatedAt);
    await this.environments.delete(id);
  }
}

/** Deployment environment of a project. */
interface EnvironmentResponse {
  id: number;
  /** @example "production" */
  name: string;
  /**
   * Name in the form of a host name.
   * @example "review-fix-foo-k3x9q2"
   */
  slug: string;
  /** @example "https://www.example.com" */
  external_url: string | null;
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  updated_at: string;
  tier: EnvironmentTier;
  state: EnvironmentState;
}

/** An environment as endpoints of its project show it. */
function presentEnvironment(row: EnvironmentRow): EnvironmentResponse {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    external_url: row.externalUrl,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    tier: row.tier,
    state: row.state,
  };
}
