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
import { canInProject } from '../../identity/members/abilities.js';
import {
  AddMemberDto,
  ListMembersDto,
  UpdateMemberDto,
} from '../../identity/members/member.dto.js';
import { presentMember, type MemberResponse } from '../../identity/members/member.presenter.js';
import { MembersRepository } from '../../identity/members/members.repository.js';
import { managerOf, MembersService } from '../../identity/members/members.service.js';
import { CurrentProject, ProjectAbility } from './project-access.guard.js';
import { projectSource } from '../../identity/members/member-source.js';
import type { ProjectRow } from './projects.repository.js';

/** Memberships of a project; its maintainers manage them. */
@Controller('projects/:id/members')
@Scopes()
export class ProjectMembersController {
  constructor(
    private readonly repository: MembersRepository,
    private readonly members: MembersService,
  ) {}

  /** Lists the project's direct members. */
  @Get()
  @ProjectAbility('read_members')
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListMembersDto,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<MemberResponse[]> {
    const page = await this.repository.list(
      projectSource(project),
      { reach: 'direct', filters },
      paging,
    );
    return paging.write(mapPage(page, (row) => presentMember(row, baseUrl)));
  }

  /** Lists the members of the project and its groups, each with the highest level. */
  @Get('all')
  @ProjectAbility('read_members')
  async listAll(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListMembersDto,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<MemberResponse[]> {
    const page = await this.repository.list(
      projectSource(project),
      { reach: 'all', filters },
      paging,
    );
    return paging.write(mapPage(page, (row) => presentMember(row, baseUrl)));
  }

  /** Shows a user's highest membership in the project and in its groups. */
  @Get('all/:user_id')
  @ProjectAbility('read_members')
  async showEffective(
    @CurrentProject() project: ProjectRow,
    @IntegerId('user_id') userId: number,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<MemberResponse> {
    return presentMember(
      await this.repository.findMember(projectSource(project), 'all', userId),
      baseUrl,
    );
  }

  /** Shows a user's direct membership in the project. */
  @Get(':user_id')
  @ProjectAbility('read_members')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('user_id') userId: number,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<MemberResponse> {
    return presentMember(
      await this.repository.findMember(projectSource(project), 'direct', userId),
      baseUrl,
    );
  }

  /** Adds a member to the project, with at most the viewer's own level. */
  @Post()
  @ApiErrors(409)
  @ProjectAbility('admin_members')
  async add(
    @CurrentProject() project: ProjectRow,
    @Input() dto: AddMemberDto,
    @Auth() auth: AuthContext,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<MemberResponse> {
    const userId = await this.members.add(projectSource(project), dto, managerOf(project, auth));
    return presentMember(
      await this.repository.findMember(projectSource(project), 'direct', userId),
      baseUrl,
    );
  }

  /** Updates a member's level and expiry date. */
  @Put(':user_id')
  @ProjectAbility('admin_members')
  async update(
    @CurrentProject() project: ProjectRow,
    @IntegerId('user_id') userId: number,
    @Input() dto: UpdateMemberDto,
    @Auth() auth: AuthContext,
    @ResponseContext() { baseUrl }: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<MemberResponse> {
    const change = { userId, dto, preconditions };
    await this.members.update(projectSource(project), change, managerOf(project, auth));
    return presentMember(
      await this.repository.findMember(projectSource(project), 'direct', userId),
      baseUrl,
    );
  }

  /** Removes a member from the project. Maintainers can remove anyone, and members can leave. */
  @Delete(':user_id')
  @HttpCode(204)
  @ProjectAbility('read_members')
  async remove(
    @CurrentProject() project: ProjectRow,
    @IntegerId('user_id') userId: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    const mayManage = canInProject('admin_members', { ...project, viewer: auth.viewer });
    if (!mayManage && auth.viewer?.id !== userId) throw new ForbiddenError();
    const removal = { userId, preconditions, keepBelow: true };
    await this.members.remove(projectSource(project), removal, managerOf(project, auth));
  }
}
