import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ACCEPTED, type Accepted } from '../../core/accepted.js';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Auth, CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import { CreateGroupDto, TransferGroupDto, UpdateGroupDto } from './group.dto.js';
import { CurrentGroup, GroupAbility } from './group-access.guard.js';
import { GroupCreationService } from './group-creation.service.js';
import { GroupDeletionService } from './group-deletion.service.js';
import { type GroupRow, GroupsRepository } from './groups.repository.js';
import { GroupTransferService } from './group-transfer.service.js';
import { GroupUpdateService } from './group-update.service.js';
import { presentGroupDetail } from './group.presenter.js';
import { groupChange, newGroup } from './group-attributes.js';
import type { GroupDetailResponse } from './group.response.js';

/** One group: reading, creating, changing, transferring, deleting. */
@Controller('groups')
@Scopes()
export class GroupsController {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly creation: GroupCreationService,
    private readonly updates: GroupUpdateService,
    private readonly transfers: GroupTransferService,
    private readonly deletion: GroupDeletionService,
  ) {}

  /** Creates a group, or with `parent_id` a subgroup; its creator becomes the owner. */
  @Post()
  @Ability('signed_in')
  async create(
    @Input() dto: CreateGroupDto,
    @CurrentUser() viewer: Viewer,
    @Auth() auth: AuthContext,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<GroupDetailResponse> {
    const id = await this.creation.create(newGroup(dto), viewer, auth);
    return this.detail(id, presentation);
  }

  /** Shows a group. */
  @Get(':id')
  @GroupAbility('read_group')
  show(
    @CurrentGroup() group: GroupRow,
    @ResponseContext() presentation: ResponseContext,
  ): GroupDetailResponse {
    return presentGroupDetail(group, presentation);
  }

  /** Updates a group; a new path applies to everything below, and former paths redirect. */
  @Put(':id')
  @GroupAbility('admin_group')
  async update(
    @CurrentGroup() group: GroupRow,
    @Input() dto: UpdateGroupDto,
    @Auth() auth: AuthContext,
    @ResponseContext() presentation: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<GroupDetailResponse> {
    preconditions.check(group.updatedAt);
    await this.updates.update(group, groupChange(dto), auth);
    return this.detail(group.id, presentation);
  }

  /** Transfers a group to another parent, or to the top level. */
  @Post(':id/transfer')
  @GroupAbility('admin_group')
  async transfer(
    @CurrentGroup() group: GroupRow,
    @Input() dto: TransferGroupDto,
    @Auth() actor: AuthContext,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<GroupDetailResponse> {
    await this.transfers.transfer(group, dto.group_id ?? null, { viewer, actor });
    return this.detail(group.id, presentation);
  }

  /**
   * Deletes a group with its subgroups and projects. It is hidden immediately and removed in the
   * background.
   */
  @Delete(':id')
  @HttpCode(202)
  @ApiErrors(409)
  @GroupAbility('admin_group')
  async delete(
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<Accepted> {
    preconditions.check(group.updatedAt);
    await this.deletion.request(group, auth);
    return ACCEPTED;
  }

  private async detail(id: number, presentation: ResponseContext): Promise<GroupDetailResponse> {
    const group = await this.groups.getById(id, presentation.viewer?.id ?? null);
    return presentGroupDetail(group, presentation);
  }
}
