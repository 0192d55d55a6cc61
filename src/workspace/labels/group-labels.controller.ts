import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentGroup, GroupAbility } from '../groups/group-access.guard.js';
import type { GroupRow } from '../groups/groups.repository.js';
import {
  CreateGroupLabelDto,
  givenName,
  LabelName,
  ListGroupLabelsDto,
  NamedLabelDto,
  UpdateGroupLabelDto,
  UpdateNamedGroupLabelDto,
  type NamedChange,
} from './label.dto.js';
import { presentGroupLabel, type GroupLabelResponse } from './label.response.js';
import { LabelsRepository, type LabelRow } from './labels.repository.js';
import { LabelsService } from './labels.service.js';

/** Labels of a group: read by everyone who sees it, changed by Planners and above. */
@Controller('groups/:id/labels')
@Scopes()
export class GroupLabelsController {
  constructor(
    private readonly repository: LabelsRepository,
    private readonly labels: LabelsService,
  ) {}

  /** Lists the labels of a group, with those of the groups above it, by name. */
  @Get()
  @GroupAbility('read_group')
  async list(
    @CurrentGroup() { id: groupId }: GroupRow,
    @Input() filters: ListGroupLabelsDto,
    @ResponseContext() { viewer }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<GroupLabelResponse[]> {
    const page = await this.repository.list(viewer, { groupId }, { filters, paging });
    const countsOf = filters.with_counts
      ? await this.repository.countsOf(
          viewer,
          { groupId },
          page.items.map(({ name }) => name),
        )
      : null;
    const subscribed = await this.repository.subscribedTo(viewer, page.items);
    return paging.write(
      mapPage(page, (row) =>
        presentGroupLabel(row, {
          subscribed: subscribed.has(row.id),
          counts: countsOf?.(row.name),
        }),
      ),
    );
  }

  /** Shows a label by its ID or name. */
  @Get(':label_id')
  @GroupAbility('read_group')
  show(
    @CurrentGroup() group: GroupRow,
    @LabelName() name: string,
    @ResponseContext() context: ResponseContext,
  ): Promise<GroupLabelResponse> {
    return this.present(group, name, context);
  }

  /** Creates a label of a group. */
  @Post()
  @GroupAbility('admin_label')
  @RateLimit('create')
  @ApiErrors(409)
  async create(
    @CurrentGroup() group: GroupRow,
    @Input() dto: CreateGroupLabelDto,
    @ResponseContext() context: ResponseContext,
  ): Promise<GroupLabelResponse> {
    const id = await this.labels.create({ groupId: group.id }, dto);
    return this.present(group, String(id), context);
  }

  /** Updates a label by its ID or name. */
  @Put(':label_id')
  @GroupAbility('admin_label')
  @ApiErrors(409, 412)
  update(
    @CurrentGroup() group: GroupRow,
    @LabelName() name: string,
    @Input() dto: UpdateGroupLabelDto,
    @IfUnmodified() preconditions: Preconditions,
    @ResponseContext() context: ResponseContext,
  ): Promise<GroupLabelResponse> {
    return this.change(group, { name, dto, preconditions }, context);
  }

  /** Deprecated: updates the label that `label_id` or `name` names. */
  @Put()
  @GroupAbility('admin_label')
  @ApiErrors(409, 412)
  updateNamed(
    @CurrentGroup() group: GroupRow,
    @Input() dto: UpdateNamedGroupLabelDto,
    @IfUnmodified() preconditions: Preconditions,
    @ResponseContext() context: ResponseContext,
  ): Promise<GroupLabelResponse> {
    return this.change(group, { name: givenName(dto), dto, preconditions }, context);
  }

  /** Deletes a label, and takes it from issues and merge requests. */
  @Delete(':label_id')
  @HttpCode(204)
  @GroupAbility('admin_label')
  @ApiErrors(412)
  async delete(
    @CurrentGroup() group: GroupRow,
    @LabelName() name: string,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    await this.labels.delete(await this.ownLabel(group, { name, preconditions }));
  }

  /** Deprecated: deletes the label that `label_id` or `name` names. */
  @Delete()
  @HttpCode(204)
  @GroupAbility('admin_label')
  @ApiErrors(412)
  async deleteNamed(
    @CurrentGroup() group: GroupRow,
    @Input() dto: NamedLabelDto,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    const named = { name: givenName(dto), preconditions };
    await this.labels.delete(await this.ownLabel(group, named));
  }

  private async change(
    group: GroupRow,
    { dto, ...named }: NamedChange & { dto: UpdateGroupLabelDto },
    context: ResponseContext,
  ): Promise<GroupLabelResponse> {
    const label = await this.ownLabel(group, named);
    await this.labels.update(label, dto);
    return this.present(group, String(label.id), context);
  }

  /** Throws 404 for a label of a group above: it is changed there. */
  private async ownLabel(
    { id: groupId }: GroupRow,
    { name, preconditions }: NamedChange,
  ): Promise<LabelRow> {
    const label = await this.repository.findOwn({ groupId }, name);
    preconditions.check(label.updatedAt);
    return label;
  }

  private async present(
    { id: groupId }: GroupRow,
    name: string,
    { viewer }: ResponseContext,
  ): Promise<GroupLabelResponse> {
    const label = await this.repository.findUsable({ groupId }, name);
    const countsOf = await this.repository.countsOf(viewer, { groupId }, [label.name]);
    const subscribed = await this.repository.subscribedTo(viewer, [label]);
    const counts = countsOf(label.name);
    return presentGroupLabel(label, { subscribed: subscribed.has(label.id), counts });
  }
}
