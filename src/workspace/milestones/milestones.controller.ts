import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Post,
  Put,
  createParamDecorator,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { authContext, type Viewer } from '../../core/access/auth-context.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ResponseContext, publicBaseUrl } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import { fullPathOf, type ProjectRow } from '../projects/projects.repository.js';
import {
  assertMilestonesEnabled,
  assertMilestonesWritable,
  MilestonesService,
} from './milestones.service.js';
import { CreateMilestoneDto, ListMilestonesDto, UpdateMilestoneDto } from './milestone.dto.js';
import { presentMilestone, type MilestoneResponse } from './milestone.presenter.js';
import { MilestonesRepository } from './milestones.repository.js';
import { UnauthorizedError } from '../../core/errors.js';
import { readPreconditions, type Preconditions } from '../../core/preconditions.js';

/** Author of a milestone's change, its preconditions, and the base URL of the response. */
interface MilestoneRequestContext {
  viewer: Viewer;
  preconditions: Preconditions;
  baseUrl: string;
}

/** Returns the author and preconditions of a change. Throws 401 for anonymous requests. */
const MilestoneContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): MilestoneRequestContext => {
    const request = context.switchToHttp().getRequest<Request>();
    const { viewer } = authContext(request);
    if (viewer === null) throw new UnauthorizedError();
    const preconditions = readPreconditions(request);
    return { viewer, preconditions, baseUrl: publicBaseUrl(request) };
  },
);

/** Milestones of a project: read by everyone who sees them, changed by Planners and above. */
@Controller('projects/:id/milestones')
@Scopes()
export class MilestonesController {
  constructor(
    private readonly repository: MilestonesRepository,
    private readonly milestones: MilestonesService,
  ) {}

  /** Lists the milestones of a project, earliest due date first. */
  @Get()
  @ProjectAbility('read_milestone')
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListMilestonesDto,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<MilestoneResponse[]> {
    assertMilestonesEnabled(project);
    const page = await this.repository.list(project.id, filters, paging);
    const context = { baseUrl, projectFullPath: fullPathOf(project) };
    return paging.write(mapPage(page, (row) => presentMilestone(row, context)));
  }

  /** Shows a milestone by its ID, not its number in the project. */
  @Get(':milestone_id')
  @ProjectAbility('read_milestone')
  show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_id') id: number,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<MilestoneResponse> {
    assertMilestonesEnabled(project);
    return this.present(project, id, baseUrl);
  }

  /** Creates a milestone. */
  @Post()
  @ProjectAbility('admin_milestone')
  @RateLimit('create')
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateMilestoneDto,
    @MilestoneContext() { viewer, baseUrl }: MilestoneRequestContext,
  ): Promise<MilestoneResponse> {
    assertMilestonesWritable(project);
    const id = await this.milestones.create(project.id, dto, viewer.id);
    return this.present(project, id, baseUrl);
  }

  /** Updates, closes or activates a milestone. */
  @Put(':milestone_id')
  @ProjectAbility('admin_milestone')
  @ApiErrors(412)
  async update(
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_id') id: number,
    @Input() dto: UpdateMilestoneDto,
    @MilestoneContext() { viewer, baseUrl, preconditions }: MilestoneRequestContext,
  ): Promise<MilestoneResponse> {
    assertMilestonesWritable(project);
    preconditions.check((await this.repository.findInProject(project.id, id)).updatedAt);
    await this.milestones.update(id, dto, viewer.id);
    return this.present(project, id, baseUrl);
  }

  /** Deletes a milestone; its issues and merge requests are kept. */
  @Delete(':milestone_id')
  @ProjectAbility('admin_milestone')
  @HttpCode(204)
  @ApiErrors(412)
  async delete(
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_id') id: number,
    @MilestoneContext() { viewer, preconditions }: MilestoneRequestContext,
  ): Promise<void> {
    assertMilestonesWritable(project);
    const milestone = await this.repository.findInProject(project.id, id);
    preconditions.check(milestone.updatedAt);
    await this.milestones.delete(milestone, viewer.id);
  }

  private async present(
    project: ProjectRow,
    id: number,
    baseUrl: string,
  ): Promise<MilestoneResponse> {
    const milestone = await this.repository.findInProject(project.id, id);
    return presentMilestone(milestone, { baseUrl, projectFullPath: fullPathOf(project) });
  }
}
