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
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { canInGroup, canInProject } from '../../identity/members/abilities.js';
import {
  presentAccessRequest,
  type AccessRequestResponse,
} from '../../identity/members/access-requests/access-request.presenter.js';
import { AccessRequestsRepository } from '../../identity/members/access-requests/access-requests.repository.js';
import { AccessRequestsService } from '../../identity/members/access-requests/access-requests.service.js';
import { ApproveAccessRequestDto } from '../../identity/members/member.dto.js';
import { presentMember, type MemberResponse } from '../../identity/members/member.presenter.js';
import { groupSource, projectSource } from '../../identity/members/member-source.js';
import { MembersRepository } from '../../identity/members/members.repository.js';
import { managerOf } from '../../identity/members/members.service.js';
import { CurrentGroup, GroupAbility } from '../groups/group-access.guard.js';
import type { GroupRow } from '../groups/groups.repository.js';
import { CurrentProject, ProjectAbility } from './project-access.guard.js';
import { ProjectsRepository, type ProjectRow } from './projects.repository.js';
import { requestedGroup, requestedProject } from './requested-source.js';

/** Access requests of a project; its maintainers decide about them. */
@Controller('projects/:id/access_requests')
@Scopes()
export class ProjectAccessRequestsController {
  constructor(
    private readonly requests: AccessRequestsRepository,
    private readonly service: AccessRequestsService,
    private readonly members: MembersRepository,
    private readonly projects: ProjectsRepository,
  ) {}

  /** Lists the pending access requests of a project. */
  @Get()
  @ProjectAbility('admin_members')
  async list(
    @CurrentProject() project: ProjectRow,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<AccessRequestResponse[]> {
    const page = await this.requests.list(projectSource(project), paging);
    return paging.write(mapPage(page, (row) => presentAccessRequest(row, baseUrl)));
  }

  /** Requests access to a project for the viewer, who is not a member. */
  @Post()
  @RateLimit('create')
  @ProjectAbility('read_project')
  async request(
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<AccessRequestResponse> {
    const counted = await this.projects.withCounts(project);
    return presentAccessRequest(
      await this.service.request(requestedProject(counted), auth),
      baseUrl,
    );
  }

  /** Approves an access request: the user becomes a member. */
  @Put(':user_id/approve')
  @HttpCode(201)
  @ApiErrors(409)
  @ProjectAbility('admin_members')
  async approve(
    @CurrentProject() project: ProjectRow,
    @IntegerId('user_id') userId: number,
    @Input() dto: ApproveAccessRequestDto,
    @Auth() auth: AuthContext,
    @ResponseContext() { baseUrl }: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<MemberResponse> {
    const source = projectSource(project);
    await this.service.approve(source, { userId, dto, preconditions }, managerOf(project, auth));
    return presentMember(await this.members.findMember(source, 'direct', userId), baseUrl);
  }

  /** Denies an access request; users can withdraw their own. */
  @Delete(':user_id')
  @HttpCode(204)
  @ProjectAbility('read_project')
  async remove(
    @CurrentProject() project: ProjectRow,
    @IntegerId('user_id') userId: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    const mayManage = canInProject('admin_members', { ...project, viewer: auth.viewer });
    if (!mayManage && auth.viewer?.id !== userId) throw new ForbiddenError();
    await this.service.remove(projectSource(project), { userId, preconditions }, auth);
  }
}

/** Access requests of a group; its owners decide about them. */
@Controller('groups/:id/access_requests')
@Scopes()
export class GroupAccessRequestsController {
  constructor(
    private readonly requests: AccessRequestsRepository,
    private readonly service: AccessRequestsService,
    private readonly members: MembersRepository,
  ) {}

  /** Lists the pending access requests of a group. */
  @Get()
  @GroupAbility('admin_group')
  async list(
    @CurrentGroup() group: GroupRow,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<AccessRequestResponse[]> {
    const page = await this.requests.list(groupSource(group), paging);
    return paging.write(mapPage(page, (row) => presentAccessRequest(row, baseUrl)));
  }

  /** Requests access to a group for the viewer, who is not a member. */
  @Post()
  @RateLimit('create')
  @GroupAbility('read_group')
  async request(
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<AccessRequestResponse> {
    return presentAccessRequest(await this.service.request(requestedGroup(group), auth), baseUrl);
  }

  /** Approves an access request: the user becomes a member. */
  @Put(':user_id/approve')
  @HttpCode(201)
  @ApiErrors(409)
  @GroupAbility('admin_group')
  async approve(
    @CurrentGroup() group: GroupRow,
    @IntegerId('user_id') userId: number,
    @Input() dto: ApproveAccessRequestDto,
    @Auth() auth: AuthContext,
    @ResponseContext() { baseUrl }: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<MemberResponse> {
    const source = groupSource(group);
    await this.service.approve(source, { userId, dto, preconditions }, managerOf(group, auth));
    return presentMember(await this.members.findMember(source, 'direct', userId), baseUrl);
  }

  /** Denies an access request; users can withdraw their own. */
  @Delete(':user_id')
  @HttpCode(204)
  @GroupAbility('read_group')
  async remove(
    @CurrentGroup() group: GroupRow,
    @IntegerId('user_id') userId: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    const mayManage = canInGroup('admin_group', { ...group, viewer: auth.viewer });
    if (!mayManage && auth.viewer?.id !== userId) throw new ForbiddenError();
    await this.service.remove(groupSource(group), { userId, preconditions }, auth);
  }
}
