import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import { ForbiddenError } from '../../core/errors.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import { canInGroup } from '../../identity/members/abilities.js';
import {
  AddMemberDto,
  ListMembersDto,
  RemoveMemberDto,
  UpdateMemberDto,
} from '../../identity/members/member.dto.js';
import { presentMember, type MemberResponse } from '../../identity/members/member.presenter.js';
import { MembersRepository } from '../../identity/members/members.repository.js';
import { managerOf, MembersService } from '../../identity/members/members.service.js';
import { CurrentGroup, GroupAbility } from './group-access.guard.js';
import { groupSource } from '../../identity/members/member-source.js';
import type { GroupRow } from './groups.repository.js';

/** Memberships of a group; its owners manage them. */
@Controller('groups/:id/members')
@Scopes()
export class GroupMembersController {
  constructor(
    private readonly repository: MembersRepository,
    private readonly members: MembersService,
  ) {}

  /** Lists the group's direct members. */
  @Get()
  @GroupAbility('read_group_members')
  async list(
    @CurrentGroup() group: GroupRow,
    @Input() filters: ListMembersDto,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<MemberResponse[]> {
    const page = await this.repository.list(
      groupSource(group),
      { reach: 'direct', filters },
      paging,
    );
    return paging.write(mapPage(page, (row) => presentMember(row, baseUrl)));
  }

  /** Lists the members of the group and its ancestors, each with the highest level. */
  @Get('all')
  @GroupAbility('read_group_members')
  async listAll(
    @CurrentGroup() group: GroupRow,
    @Input() filters: ListMembersDto,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<MemberResponse[]> {
    const page = await this.repository.list(groupSource(group), { reach: 'all', filters }, paging);
    return paging.write(mapPage(page, (row) => presentMember(row, baseUrl)));
  }

  /** Shows a user's highest membership in the group and its ancestors. */
  @Get('all/:user_id')
  @GroupAbility('read_group_members')
  async showEffective(
    @CurrentGroup() group: GroupRow,
    @IntegerId('user_id') userId: number,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<MemberResponse> {
    return presentMember(
      await this.repository.findMember(groupSource(group), 'all', userId),
      baseUrl,
    );
  }

  /** Shows a user's direct membership in the group. */
  @Get(':user_id')
  @GroupAbility('read_group_members')
  async show(
    @CurrentGroup() group: GroupRow,
    @IntegerId('user_id') userId: number,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<MemberResponse> {
    return presentMember(
      await this.repository.findMember(groupSource(group), 'direct', userId),
      baseUrl,
    );
  }

  /** Adds a member to the group, with at most the viewer's own level. */
  @Post()
  @ApiErrors(409)
  @GroupAbility('admin_group')
  async add(
    @CurrentGroup() group: GroupRow,
    @Input() dto: AddMemberDto,
    @Auth() auth: AuthContext,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<MemberResponse> {
    const userId = await this.members.add(groupSource(group), dto, managerOf(group, auth));
    return presentMember(
      await this.repository.findMember(groupSource(group), 'direct', userId),
      baseUrl,
    );
  }

  /** Updates a member's level and expiry date. */
  @Put(':user_id')
  @GroupAbility('admin_group')
  async update(
    @CurrentGroup() group: GroupRow,
    @IntegerId('user_id') userId: number,
    @Input() dto: UpdateMemberDto,
    @Auth() auth: AuthContext,
    @ResponseContext() { baseUrl }: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<MemberResponse> {
    const change = { userId, dto, preconditions };
    await this.members.update(groupSource(group), change, managerOf(group, auth));
    return presentMember(
      await this.repository.findMember(groupSource(group), 'direct', userId),
      baseUrl,
    );
  }

  /** Removes a member from the group. Owners can remove anyone, and members can leave. */
  @Delete(':user_id')
  @HttpCode(204)
  @GroupAbility('read_group_members')
  async remove(
    @CurrentGroup() group: GroupRow,
    @IntegerId('user_id') userId: number,
    @Input() dto: RemoveMemberDto,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    const mayManage = canInGroup('admin_group', { ...group, viewer: auth.viewer });
    if (!mayManage && auth.viewer?.id !== userId) throw new ForbiddenError();
    const removal = { userId, preconditions, keepBelow: dto.skip_subresources === true };
    await this.members.remove(groupSource(group), removal, managerOf(group, auth));
  }
}
