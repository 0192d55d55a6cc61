import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { BadRequestError, ForbiddenError } from '../../core/errors.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ResponseContext } from '../../core/response-context.js';
import { canInGroup } from '../../identity/members/abilities.js';
import { GroupsRepository } from '../groups/groups.repository.js';
import { BriefProject, CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { BriefProjectRow } from '../projects/sql/project-statements.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import {
  CreateLabelDto,
  givenName,
  LabelName,
  ListLabelsDto,
  NamedLabelDto,
  UpdateLabelDto,
  UpdateNamedLabelDto,
  type NamedChange,
} from './label.dto.js';
import {
  presentGroupLabel,
  presentLabel,
  type GroupLabelResponse,
  type LabelResponse,
} from './label.response.js';
import { LabelsRepository, type LabelRow } from './labels.repository.js';
import { LabelsService } from './labels.service.js';

/** Labels of a project: read by everyone who sees it, changed by Planners and above. */
@Controller('projects/:id/labels')
@Scopes()
export class ProjectLabelsController {
  constructor(
    private readonly repository: LabelsRepository,
    private readonly labels: LabelsService,
    private readonly groups: GroupsRepository,
  ) {}

  /** Lists the labels of a project, with those of the groups above it, by name. */
  @Get()
  @ProjectAbility('read_label')
  @BriefProject()
  async list(
    @CurrentProject() { id: projectId }: BriefProjectRow,
    @Input() filters: ListLabelsDto,
    @ResponseContext() { viewer }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<LabelResponse[]> {
    const page = await this.repository.list(viewer, { projectId }, { filters, paging });
    const countsOf = filters.with_counts
      ? await this.repository.countsOf(
          viewer,
          { projectId },
          page.items.map(({ name }) => name),
        )
      : null;
    const subscribed = await this.repository.subscribedTo(viewer, page.items);
    return paging.write(
      mapPage(page, (row) =>
        presentLabel(row, { subscribed: subscribed.has(row.id), counts: countsOf?.(row.name) }),
      ),
    );
  }

  /** Shows a label by its ID or name. */
  @Get(':label_id')
  @ProjectAbility('read_label')
  show(
    @CurrentProject() project: ProjectRow,
    @LabelName() name: string,
    @ResponseContext() context: ResponseContext,
  ): Promise<LabelResponse> {
    return this.present(project, name, context);
  }

  /** Creates a label. */
  @Post()
  @ProjectAbility('admin_label')
  @RateLimit('create')
  @ApiErrors(409)
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateLabelDto,
    @ResponseContext() context: ResponseContext,
  ): Promise<LabelResponse> {
    assertWritable(project);
    const id = await this.labels.create({ projectId: project.id }, dto);
    return this.present(project, String(id), context);
  }

  /** Updates a label by its ID or name. */
  @Put(':label_id')
  @ProjectAbility('admin_label')
  @ApiErrors(409, 412)
  update(
    @CurrentProject() project: ProjectRow,
    @LabelName() name: string,
    @Input() dto: UpdateLabelDto,
    @IfUnmodified() preconditions: Preconditions,
    @ResponseContext() context: ResponseContext,
  ): Promise<LabelResponse> {
    return this.change(project, { name, dto, preconditions }, context);
  }

  /** Deprecated: updates the label that `label_id` or `name` names. */
  @Put()
  @ProjectAbility('admin_label')
  @ApiErrors(409, 412)
  updateNamed(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateNamedLabelDto,
    @IfUnmodified() preconditions: Preconditions,
    @ResponseContext() context: ResponseContext,
  ): Promise<LabelResponse> {
    return this.change(project, { name: givenName(dto), dto, preconditions }, context);
  }

  /** Makes a project's label one of its group; requires the Planner role there. */
  @Put(':label_id/promote')
  @ProjectAbility('admin_label')
  @ApiErrors(412)
  async promote(
    @CurrentProject() project: ProjectRow,
    @LabelName() name: string,
    @IfUnmodified() preconditions: Preconditions,
    @ResponseContext() { viewer }: ResponseContext,
  ): Promise<GroupLabelResponse> {
    const label = await this.ownLabel(project, { name, preconditions });
    const groupId = project.namespaceId;
    const found = await this.groups.findByIdOrPath({ id: groupId }, viewer?.id ?? null);
    if (found === null) throw new BadRequestError('Failed to promote project label to group label');
    if (!canInGroup('admin_label', { ...found.group, viewer })) throw new ForbiddenError();
    const id = await this.labels.promote(label, groupId);
    const promoted = await this.repository.findUsable({ groupId }, String(id));
    const subscribed = await this.repository.subscribedTo(viewer, [promoted]);
    return presentGroupLabel(promoted, { subscribed: subscribed.has(id) });
  }

  /** Deletes a label, and takes it from issues and merge requests. */
  @Delete(':label_id')
  @HttpCode(204)
  @ProjectAbility('admin_label')
  @ApiErrors(412)
  async delete(
    @CurrentProject() project: ProjectRow,
    @LabelName() name: string,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    await this.labels.delete(await this.ownLabel(project, { name, preconditions }));
  }

  /** Deprecated: deletes the label that `label_id` or `name` names. */
  @Delete()
  @HttpCode(204)
  @ProjectAbility('admin_label')
  @ApiErrors(412)
  async deleteNamed(
    @CurrentProject() project: ProjectRow,
    @Input() dto: NamedLabelDto,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    const named = { name: givenName(dto), preconditions };
    await this.labels.delete(await this.ownLabel(project, named));
  }

  private async change(
    project: ProjectRow,
    { dto, ...named }: NamedChange & { dto: UpdateLabelDto },
    context: ResponseContext,
  ): Promise<LabelResponse> {
    const label = await this.ownLabel(project, named);
    await this.labels.update(label, dto);
    return this.present(project, String(label.id), context);
  }

  /** Throws 404 for a label of a group above: it is changed there. */
  private async ownLabel(
    project: ProjectRow,
    { name, preconditions }: NamedChange,
  ): Promise<LabelRow> {
    assertWritable(project);
    const label = await this.repository.findOwn({ projectId: project.id }, name);
    preconditions.check(label.updatedAt);
    return label;
  }

  private async present(
    { id: projectId }: ProjectRow,
    name: string,
    { viewer }: ResponseContext,
  ): Promise<LabelResponse> {
    const label = await this.repository.findUsable({ projectId }, name);
    const countsOf = await this.repository.countsOf(viewer, { projectId }, [label.name]);
    const subscribed = await this.repository.subscribedTo(viewer, [label]);
    const counts = countsOf(label.name);
    return presentLabel(label, { subscribed: subscribed.has(label.id), counts });
  }
}

/** 403 in an archived project, which is read-only for everyone. */
function assertWritable(project: ProjectRow): void {
  if (project.archived) throw new ForbiddenError();
}
