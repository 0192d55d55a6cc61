import {
  Controller,
  createParamDecorator,
  Delete,
  Get,
  HttpCode,
  Post,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { Auth, authContext, type AuthContext } from '../../core/access/auth-context.js';
import { ApiAbility, ApiErrors } from '../../core/openapi/api.decorators.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ReadsPrimary } from '../../core/sql/replica/request-reads.js';
import { findCurrentGroup, GroupAbility } from '../groups/group-access.guard.js';
import { currentProject, ProjectAbility } from '../projects/project-access.guard.js';
import { RotateTokenDto, TokenFiltersDto } from '../../identity/tokens/token.dto.js';
import type { NewTokenResponse, TokenResponse } from '../../identity/tokens/token.presenter.js';
import { CreateResourceTokenDto } from './resource-token.dto.js';
import { ResourceTokenCreation, ResourceTokensService } from './resource-tokens.service.js';
import { groupResource, projectResource, type TokenResource } from './token-resource.js';

/** The project or group that the guard let pass, as the home of tokens. */
const CurrentResource = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<Request>();
  const { viewer } = authContext(request);
  const group = findCurrentGroup(request);
  return group === null
    ? projectResource(currentProject(request), viewer)
    : groupResource(group, viewer);
});

/**
 * Access tokens of a project or group, which have a controller each. Its tag `@owner` completes the
 * descriptions of the endpoints.
 */
abstract class ResourceTokensController {
  constructor(
    private readonly tokens: ResourceTokensService,
    private readonly creation: ResourceTokenCreation,
  ) {}

  /** Lists the access tokens of {owner}. */
  @Get()
  list(
    @CurrentResource() resource: TokenResource,
    @Input() filters: TokenFiltersDto,
    @Pages() paging: Paging,
  ): Promise<TokenResponse[]> {
    return this.tokens.list(resource, filters, paging);
  }

  /** Shows an access token of {owner}. */
  @Get(':token_id')
  show(
    @CurrentResource() resource: TokenResource,
    @IntegerId('token_id') tokenId: number,
  ): Promise<TokenResponse> {
    return this.tokens.show(resource, tokenId);
  }

  /** Creates an access token of {owner}, with a bot user. */
  @Post()
  @RateLimit('token_creation')
  create(
    @CurrentResource() resource: TokenResource,
    @Input() dto: CreateResourceTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    return this.creation.create(resource, dto, auth);
  }

  /** Rotates the access token of the request. */
  @Post('self/rotate')
  @RateLimit('token_creation')
  @HttpCode(200)
  @Scopes('self_rotate')
  @ApiAbility('signed_in')
  @ApiErrors(405)
  rotateSelf(
    @CurrentResource() resource: TokenResource,
    @Input() dto: RotateTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    return this.tokens.rotateSelf(resource, dto, auth);
  }

  /** Rotates an access token of {owner}. */
  @Post(':token_id/rotate')
  @RateLimit('token_creation')
  @HttpCode(200)
  rotate(
    @CurrentResource() resource: TokenResource,
    @IntegerId('token_id') tokenId: number,
    @Input() dto: RotateTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    return this.tokens.rotate(resource, { tokenId, dto }, auth);
  }

  /** Revokes an access token of {owner}. */
  @Delete(':token_id')
  @HttpCode(204)
  revoke(
    @CurrentResource() resource: TokenResource,
    @IntegerId('token_id') tokenId: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    return this.tokens.revoke(resource, { tokenId, preconditions }, auth);
  }
}

/**
 * Access tokens of a project; its maintainers manage them.
 * @owner a project
 */
@ReadsPrimary()
@Controller('projects/:id/access_tokens')
@Scopes()
@ProjectAbility('read_project')
@ApiAbility('manage_project_tokens')
export class ProjectAccessTokensController extends ResourceTokensController {
  constructor(tokens: ResourceTokensService, creation: ResourceTokenCreation) {
    super(tokens, creation);
  }
}

/**
 * Access tokens of a group; its owners manage them.
 * @owner a group
 */
@ReadsPrimary()
@Controller('groups/:id/access_tokens')
@Scopes()
@GroupAbility('read_group')
@ApiAbility('manage_group_tokens')
export class GroupAccessTokensController extends ResourceTokensController {
  constructor(tokens: ResourceTokensService, creation: ResourceTokenCreation) {
    super(tokens, creation);
  }
}
