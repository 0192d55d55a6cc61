import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Auth, MaybeUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { ApiAbility, ApiErrors } from '../../core/openapi/api.decorators.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { CurrentGroup, GroupAbility } from '../groups/group-access.guard.js';
import type { GroupRow } from '../groups/groups.repository.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { RotateTokenDto, TokenFiltersDto } from '../../identity/tokens/token.dto.js';
import type { NewTokenResponse, TokenResponse } from '../../identity/tokens/token.presenter.js';
import { ResourceTokenCreation } from './resource-token-creation.service.js';
import { CreateResourceTokenDto } from './resource-token.dto.js';
import { ResourceTokensService } from './resource-tokens.service.js';
import { groupResource, projectResource } from './token-resource.js';

/** Access tokens of a project; its maintainers manage them. */
@Controller('projects/:id/access_tokens')
@Scopes()
@ProjectAbility('read_project')
@ApiAbility('manage_project_tokens')
export class ProjectAccessTokensController {
  constructor(
    private readonly tokens: ResourceTokensService,
    private readonly creation: ResourceTokenCreation,
  ) {}

  /** Lists the access tokens of a project. */
  @Get()
  list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: TokenFiltersDto,
    @MaybeUser() viewer: Viewer | null,
    @Pages() paging: Paging,
  ): Promise<TokenResponse[]> {
    return this.tokens.list(projectResource(project, viewer), filters, paging);
  }

  /** Shows an access token of a project. */
  @Get(':token_id')
  show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('token_id') tokenId: number,
    @MaybeUser() viewer: Viewer | null,
  ): Promise<TokenResponse> {
    return this.tokens.show(projectResource(project, viewer), tokenId);
  }

  /** Creates an access token of a project, with a bot user. */
  @Post()
  @RateLimit('token_creation')
  create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateResourceTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    return this.creation.create(projectResource(project, auth.viewer), dto, auth);
  }

  /** Rotates the access token of the request. */
  @Post('self/rotate')
  @RateLimit('token_creation')
  @HttpCode(200)
  @Scopes('self_rotate')
  @ApiAbility('signed_in')
  @ApiErrors(405)
  rotateSelf(
    @CurrentProject() project: ProjectRow,
    @Input() dto: RotateTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    return this.tokens.rotateSelf(projectResource(project, auth.viewer), dto, auth);
  }

  /** Rotates an access token of a project. */
  @Post(':token_id/rotate')
  @RateLimit('token_creation')
  @HttpCode(200)
  rotate(
    @CurrentProject() project: ProjectRow,
    @IntegerId('token_id') tokenId: number,
    @Input() dto: RotateTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    return this.tokens.rotate(projectResource(project, auth.viewer), { tokenId, dto }, auth);
  }

  /** Revokes an access token of a project. */
  @Delete(':token_id')
  @HttpCode(204)
  revoke(
    @CurrentProject() project: ProjectRow,
    @IntegerId('token_id') tokenId: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    const choice = { tokenId, preconditions };
    return this.tokens.revoke(projectResource(project, auth.viewer), choice, auth);
  }
}

/** Access tokens of a group; its owners manage them. */
@Controller('groups/:id/access_tokens')
@Scopes()
@GroupAbility('read_group')
@ApiAbility('manage_group_tokens')
export class GroupAccessTokensController {
  constructor(
    private readonly tokens: ResourceTokensService,
    private readonly creation: ResourceTokenCreation,
  ) {}

  /** Lists the access tokens of a group. */
  @Get()
  list(
    @CurrentGroup() group: GroupRow,
    @Input() filters: TokenFiltersDto,
    @MaybeUser() viewer: Viewer | null,
    @Pages() paging: Paging,
  ): Promise<TokenResponse[]> {
    return this.tokens.list(groupResource(group, viewer), filters, paging);
  }

  /** Shows an access token of a group. */
  @Get(':token_id')
  show(
    @CurrentGroup() group: GroupRow,
    @IntegerId('token_id') tokenId: number,
    @MaybeUser() viewer: Viewer | null,
  ): Promise<TokenResponse> {
    return this.tokens.show(groupResource(group, viewer), tokenId);
  }

  /** Creates an access token of a group, with a bot user. */
  @Post()
  @RateLimit('token_creation')
  create(
    @CurrentGroup() group: GroupRow,
    @Input() dto: CreateResourceTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    return this.creation.create(groupResource(group, auth.viewer), dto, auth);
  }

  /** Rotates the access token of the request. */
  @Post('self/rotate')
  @RateLimit('token_creation')
  @HttpCode(200)
  @Scopes('self_rotate')
  @ApiAbility('signed_in')
  @ApiErrors(405)
  rotateSelf(
    @CurrentGroup() group: GroupRow,
    @Input() dto: RotateTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    return this.tokens.rotateSelf(groupResource(group, auth.viewer), dto, auth);
  }

  /** Rotates an access token of a group. */
  @Post(':token_id/rotate')
  @RateLimit('token_creation')
  @HttpCode(200)
  rotate(
    @CurrentGroup() group: GroupRow,
    @IntegerId('token_id') tokenId: number,
    @Input() dto: RotateTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    return this.tokens.rotate(groupResource(group, auth.viewer), { tokenId, dto }, auth);
  }

  /** Revokes an access token of a group. */
  @Delete(':token_id')
  @HttpCode(204)
  revoke(
    @CurrentGroup() group: GroupRow,
    @IntegerId('token_id') tokenId: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    const choice = { tokenId, preconditions };
    return this.tokens.revoke(groupResource(group, auth.viewer), choice, auth);
  }
}
