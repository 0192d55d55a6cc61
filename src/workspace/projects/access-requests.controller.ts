import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { ForbiddenError } from '../../core/errors.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ResponseContext } from '../../core/response-context.js';
import {
  AccessRequestsRepository,
  type AccessRequestRow,
} from '../../identity/members/access-requests/access-requests.repository.js';
import { AccessRequestsService } from '../../identity/members/access-requests/access-requests.service.js';
import { ContainerAbility } from '../../identity/members/container-access.js';
import { ApproveAccessRequestDto } from '../../identity/members/member.dto.js';
import { presentMember, type MemberResponse } from '../../identity/members/member.presenter.js';
import { MembersRepository } from '../../identity/members/members.repository.js';
import { presentUserBasic, type UserBasicResponse } from '../../identity/users/user.presenter.js';
import { GroupAbility } from '../groups/group-access.guard.js';
import {
  CurrentSource,
  requestedGroup,
  requestedProject,
  type CurrentMemberSource,
} from './current-source.decorator.js';
import { ProjectAbility } from './project-access.guard.js';
import { ProjectsRepository } from './projects.repository.js';

const MANAGE = { project: 'admin_members', group: 'admin_group' } as const;

/**
 * Access requests of a project or group, which have a controller each. Its tag `@owner` completes
 * the descriptions of the endpoints.
 */
abstract class AccessRequestsController {
  constructor(
    private readonly requests: AccessRequestsRepository,
    private readonly service: AccessRequestsService,
    private readonly members: MembersRepository,
    private readonly projects: ProjectsRepository,
  ) {}

  /** Lists the pending access requests of {owner}. */
  @Get()
  @ContainerAbility(MANAGE)
  async list(
    @CurrentSource() { source }: CurrentMemberSource,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<AccessRequestResponse[]> {
    const page = await this.requests.list(source, paging);
    return paging.write(mapPage(page, (row) => presentAccessRequest(row, baseUrl)));
  }

  /** Requests access to {owner} for the viewer, who is not a member. */
  @Post()
  @RateLimit('create')
  async request(
    @CurrentSource() { container }: CurrentMemberSource,
    @Auth() auth: AuthContext,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<AccessRequestResponse> {
    const requested =
      'group' in container
        ? requestedGroup(container.group)
        : requestedProject(
            await this.projects.getById(container.project.id, auth.viewer?.id ?? null),
          );
    return presentAccessRequest(await this.service.request(requested, auth), baseUrl);
  }

  /** Approves an access request: the user becomes a member. */
  @Put(':user_id/approve')
  @HttpCode(201)
  @ApiErrors(409)
  @ContainerAbility(MANAGE)
  async approve(
    @CurrentSource() { source, manager }: CurrentMemberSource,
    @IntegerId('user_id') userId: number,
    @Input() dto: ApproveAccessRequestDto,
    @ResponseContext() { baseUrl }: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<MemberResponse> {
    await this.service.approve(source, { userId, dto, preconditions }, manager);
    return presentMember(await this.members.findMember(source, 'direct', userId), baseUrl);
  }

  /** Denies an access request; users can withdraw their own. */
  @Delete(':user_id')
  @HttpCode(204)
  async remove(
    @CurrentSource() { source, can }: CurrentMemberSource,
    @IntegerId('user_id') userId: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    if (!can(MANAGE) && auth.viewer?.id !== userId) throw new ForbiddenError();
    await this.service.remove(source, { userId, preconditions }, auth);
  }
}

/**
 * Access requests of a project; its maintainers decide about them.
 * @owner a project
 */
@Controller('projects/:id/access_requests')
@Scopes()
@ProjectAbility('read_project')
export class ProjectAccessRequestsController extends AccessRequestsController {
  constructor(
    requests: AccessRequestsRepository,
    service: AccessRequestsService,
    members: MembersRepository,
    projects: ProjectsRepository,
  ) {
    super(requests, service, members, projects);
  }
}

/**
 * Access requests of a group; its owners decide about them.
 * @owner a group
 */
@Controller('groups/:id/access_requests')
@Scopes()
@GroupAbility('read_group')
export class GroupAccessRequestsController extends AccessRequestsController {
  constructor(
    requests: AccessRequestsRepository,
    service: AccessRequestsService,
    members: MembersRepository,
    projects: ProjectsRepository,
  ) {
    super(requests, service, members, projects);
  }
}

/** User who requests access to a project or group. */
interface AccessRequestResponse extends UserBasicResponse {
  /** @format date-time */
  requested_at: string;
}

/** The user with the time of the request, as v4 shows it. */
function presentAccessRequest(row: AccessRequestRow, baseUrl: string): AccessRequestResponse {
  return Object.assign(presentUserBasic(row, baseUrl), {
    requested_at: row.requestedAt.toISOString(),
  });
}
