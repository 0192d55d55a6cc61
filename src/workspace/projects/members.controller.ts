import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { ForbiddenError } from '../../core/errors.js';
import type { JsonText } from '../../core/http/http-response.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import { ContainerAbility } from '../../identity/members/container-access.js';
import {
  AddMemberDto,
  ListMembersDto,
  RemoveMemberDto,
  UpdateMemberDto,
} from '../../identity/members/member.dto.js';
import {
  memberFormat,
  presentMember,
  type MemberResponse,
} from '../../identity/members/member.presenter.js';
import { MembersRepository } from '../../identity/members/members.repository.js';
import { MembersService } from '../../identity/members/members.service.js';
import { GroupAbility } from '../groups/group-access.guard.js';
import { CurrentSource, type CurrentMemberSource } from './current-source.decorator.js';
import { BriefProject, ProjectAbility } from './project-access.guard.js';

const MANAGE = { project: 'admin_members', group: 'admin_group' } as const;

/**
 * Memberships of a project or group, which have a controller each. Its tags `@owner` and `@above`
 * complete the descriptions of the endpoints.
 */
abstract class MembersController {
  constructor(
    private readonly repository: MembersRepository,
    private readonly members: MembersService,
  ) {}

  /** Lists the {owner}'s direct members. */
  @Get()
  @BriefProject()
  async list(
    @CurrentSource() { source }: CurrentMemberSource,
    @Input() filters: ListMembersDto,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<JsonText<MemberResponse[]>> {
    const list = { paging, format: memberFormat(baseUrl) };
    const query = { reach: 'direct', filters } as const;
    return paging.writeJson(await this.repository.listItems(source, query, list));
  }

  /** Lists the members of the {owner} and its {above}, each with the highest level. */
  @Get('all')
  @BriefProject()
  async listAll(
    @CurrentSource() { source }: CurrentMemberSource,
    @Input() filters: ListMembersDto,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<JsonText<MemberResponse[]>> {
    const list = { paging, format: memberFormat(baseUrl) };
    const query = { reach: 'all', filters } as const;
    return paging.writeJson(await this.repository.listItems(source, query, list));
  }

  /** Shows a user's highest membership in the {owner} and its {above}. */
  @Get('all/:user_id')
  async showEffective(
    @CurrentSource() { source }: CurrentMemberSource,
    @IntegerId('user_id') userId: number,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<MemberResponse> {
    return presentMember(await this.repository.findMember(source, 'all', userId), baseUrl);
  }

  /** Shows a user's direct membership in the {owner}. */
  @Get(':user_id')
  async show(
    @CurrentSource() { source }: CurrentMemberSource,
    @IntegerId('user_id') userId: number,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<MemberResponse> {
    return presentMember(await this.repository.findMember(source, 'direct', userId), baseUrl);
  }

  /** Adds a member to the {owner}, with at most the viewer's own level. */
  @Post()
  @ApiErrors(409)
  @ContainerAbility(MANAGE)
  async add(
    @CurrentSource() current: CurrentMemberSource,
    @Input() dto: AddMemberDto,
    @ResponseContext() context: ResponseContext,
  ): Promise<MemberResponse> {
    const userId = await this.members.add(current.source, dto, current.manager);
    return this.show(current, userId, context);
  }

  /** Updates a member's level and expiry date. */
  @Put(':user_id')
  @ContainerAbility(MANAGE)
  async update(
    @CurrentSource() current: CurrentMemberSource,
    @IntegerId('user_id') userId: number,
    @Input() dto: UpdateMemberDto,
    @ResponseContext() context: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<MemberResponse> {
    const { source, manager } = current;
    await this.members.update(source, { userId, dto, preconditions }, manager);
    return this.show(current, userId, context);
  }

  /** Throws 403 unless the viewer manages the members or leaves. */
  protected async removeMember(
    { source, manager, can }: CurrentMemberSource,
    removal: { userId: number; preconditions: Preconditions; keepBelow: boolean },
    { viewer }: AuthContext,
  ): Promise<void> {
    if (!can(MANAGE) && viewer?.id !== removal.userId) throw new ForbiddenError();
    await this.members.remove(source, removal, manager);
  }
}

/**
 * Memberships of a project; its maintainers manage them.
 * @owner project
 * @above groups
 */
@Controller('projects/:id/members')
@Scopes()
@ProjectAbility('read_members')
export class ProjectMembersController extends MembersController {
  constructor(repository: MembersRepository, members: MembersService) {
    super(repository, members);
  }

  /** Removes a member from the project. Maintainers can remove anyone, and members can leave. */
  @Delete(':user_id')
  @HttpCode(204)
  async remove(
    @CurrentSource() current: CurrentMemberSource,
    @IntegerId('user_id') userId: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    await this.removeMember(current, { userId, preconditions, keepBelow: true }, auth);
  }
}

/**
 * Memberships of a group; its owners manage them.
 * @owner group
 * @above ancestors
 */
@Controller('groups/:id/members')
@Scopes()
@GroupAbility('read_group_members')
export class GroupMembersController extends MembersController {
  constructor(repository: MembersRepository, members: MembersService) {
    super(repository, members);
  }

  /** Removes a member from the group. Owners can remove anyone, and members can leave. */
  @Delete(':user_id')
  @HttpCode(204)
  async remove(
    @CurrentSource() current: CurrentMemberSource,
    @IntegerId('user_id') userId: number,
    @Input() dto: RemoveMemberDto,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    const keepBelow = dto.skip_subresources === true;
    await this.removeMember(current, { userId, preconditions, keepBelow }, auth);
  }
}
