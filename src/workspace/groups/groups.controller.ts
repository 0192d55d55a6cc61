import { Controller, Delete, Get, HttpCode, Post, Put, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  Auth,
  CurrentUser,
  type AuthContext,
  type Viewer,
} from '../../core/access/auth-context.js';
import { ACCEPTED, type Accepted, type JsonText } from '../../core/http/http-response.js';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors, ApiProduces } from '../../core/openapi/api.decorators.js';
import { toJsonText } from '../../core/pagination/json-items.js';
import { mapPage } from '../../core/pagination/page.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import {
  GroupTransferService,
  presentTransferLocation,
  transferLocations,
  type TransferLocationResponse,
} from './group-transfer.service.js';
import {
  CreateGroupDto,
  ListGroupsDto,
  ListTransferLocationsDto,
  TransferGroupDto,
  UpdateGroupDto,
} from './group.dto.js';
import { CurrentGroup, GroupAbility } from './group-access.guard.js';
import { GroupsService, newGroup } from './groups.service.js';
import { type GroupRow, GroupsRepository, type GroupPosition } from './groups.repository.js';
import { GroupUpdateService, groupChange } from './group-update.service.js';
import {
  presentGroupDetail,
  type GroupDetailResponse,
  groupFormat,
  presentGroup,
  type GroupResponse,
} from './group.response.js';
import { readCursor, cursorAfter, wantsKeyset } from '../../core/pagination/keyset.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { AvatarWidthDto } from '../../core/avatars/avatar.dto.js';
import { Avatars } from '../../core/avatars/avatars.service.js';
import { atRoot } from '../../core/http/paths.js';
import { VISIBILITY } from '../../identity/members/visibility.js';

/** One group: reading, creating, changing, transferring, deleting. */
@Controller('groups')
@Scopes()
export class GroupsController {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly service: GroupsService,
    private readonly updates: GroupUpdateService,
    private readonly transfers: GroupTransferService,
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
    const id = await this.service.create(newGroup(dto), viewer, auth);
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

  /** Lists the groups to which the viewer can transfer a group. */
  @Get(':id/transfer_locations')
  @GroupAbility('admin_group')
  async transferLocations(
    @CurrentGroup() group: GroupRow,
    @Input() { search }: ListTransferLocationsDto,
    @ResponseContext() { viewer, baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<TransferLocationResponse[]> {
    const { id: groupId, parentId } = group;
    const query = transferLocations({ kind: 'group', groupId, parentId }, viewer, search);
    const page = await this.groups.list(query, paging);
    return paging.write(mapPage(page, (row) => presentTransferLocation(row, baseUrl)));
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
    await this.service.requestDeletion(group, auth);
    return ACCEPTED;
  }

  private async detail(id: number, presentation: ResponseContext): Promise<GroupDetailResponse> {
    const group = await this.groups.getById(id, presentation.viewer?.id ?? null);
    return presentGroupDetail(group, presentation);
  }

  /**
   * Lists the groups that the viewer can see. With `pagination=keyset` (anonymous callers only) by
   * name, each page links to the next by its last group until one is empty.
   */
  @Get()
  @ApiErrors(405)
  @Ability('anyone')
  async list(
    @Input() filters: ListGroupsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<JsonText<GroupResponse[]>> {
    const query = { filters, viewer: presentation.viewer };
    if (!wantsGroupKeyset(filters, presentation.viewer)) {
      const format = groupFormat(presentation);
      return paging.writeJson(await this.groups.listItems(query, paging, format));
    }
    const rows = await this.groups.listAfter(query, readGroupCursor(filters), paging.perPage);
    const items = rows.map((group) => presentGroup(group, presentation));
    return toJsonText(paging.writeKeyset(items, cursorAfter(rows, GROUP_ORDER)));
  }

  /** Lists the direct subgroups of a group that the viewer can see. */
  @Get(':id/subgroups')
  @GroupAbility('read_group')
  async subgroups(
    @CurrentGroup() parent: GroupRow,
    @Input() filters: ListGroupsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<JsonText<GroupResponse[]>> {
    const query = { filters, viewer: presentation.viewer, parentId: parent.id };
    const format = groupFormat(presentation);
    return paging.writeJson(await this.groups.listItems(query, paging, format));
  }
}

/** The columns of the order, as a cursor names them. */
const GROUP_ORDER = ['name', 'id'] as const;

/** Keyset pagination of groups goes by ascending name and is for anonymous callers. */
function wantsGroupKeyset(filters: ListGroupsDto, viewer: Viewer | null): boolean {
  return wantsKeyset(filters, { orderBy: 'name', sorts: ['asc'], isOffered: viewer === null });
}

/** Where the page begins; null at the beginning of the list. Throws 400 `cursor is invalid`. */
function readGroupCursor({ cursor }: ListGroupsDto): GroupPosition | null {
  const position = readCursor(cursor, GROUP_ORDER);
  return position === null ? null : { name: position.name, id: Number(position.id) };
}

/** Avatars of groups, for those who can see the group. */
@Controller()
@Scopes()
@GroupAbility('read_group')
export class GroupAvatarsController {
  constructor(private readonly avatars: Avatars) {}

  /** Sends a group's avatar. */
  @Get('groups/:id/avatar')
  @ApiProduces('image/webp')
  async download(@CurrentGroup() group: GroupRow, @Res() response: Response): Promise<void> {
    await this.send(response, group, { file: null, width: null });
  }

  /** Sends a group's avatar by its `avatar_url`. */
  @Get(atRoot('uploads/-/system/group/avatar/:id/:file_name'))
  @ApiProduces('image/webp')
  @ApiErrors(301, 400, 401, 403, 404, 429)
  async show(
    @CurrentGroup() group: GroupRow,
    @Param('file_name') file: string,
    @Input() { width }: AvatarWidthDto,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(response, group, { file, width: width ?? null });
  }

  private send(
    response: Response,
    owner: GroupRow,
    asked: { file: string | null; width: number | null },
  ): Promise<void> {
    const isPrivate = owner.visibility !== VISIBILITY.public;
    return this.avatars.send(response, { kind: 'group', owner, isPrivate, ...asked });
  }
}
