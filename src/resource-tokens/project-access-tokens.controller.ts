import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { Scopes } from '../core/access/access.decorator.js';
import { Asks } from '../core/access/asks.decorator.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { Refuses } from '../core/access/refuses.decorator.js';
import type { Viewer } from '../core/access/viewer.js';
import { Auth, MaybeUser } from '../core/access/viewer.decorator.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { IntegerId } from '../core/params/ids.js';
import { Input } from '../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../core/preconditions.js';
import { RateLimit } from '../core/rate-limits/rate-limit.decorator.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { RotateTokenDto, TokenFiltersDto } from '../tokens/token.dto.js';
import type { PresentedNewToken, PresentedToken } from '../tokens/token.presenter.js';
import { CreateResourceTokenDto } from './resource-token.dto.js';
import { ResourceTokenCreation } from './resource-token-creation.service.js';
import { ResourceTokensService } from './resource-tokens.service.js';
import { projectResource } from './token-resource.js';

/** Access tokens of a project; its maintainers manage them. */
@Controller('projects/:id/access_tokens')
@Scopes()
@ProjectAbility('read_project')
@Asks('manage_project_tokens')
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
  ): Promise<PresentedToken[]> {
    return this.tokens.list(projectResource(project, viewer), filters, paging);
  }

  /** Shows an access token of a project. */
  @Get(':token_id')
  show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('token_id') tokenId: number,
    @MaybeUser() viewer: Viewer | null,
  ): Promise<PresentedToken> {
    return this.tokens.show(projectResource(project, viewer), tokenId);
  }

  /** Creates an access token of a project, with a bot user. */
  @Post()
  @RateLimit('token_creation')
  create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateResourceTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<PresentedNewToken> {
    return this.creation.create(projectResource(project, auth.viewer), dto, auth);
  }

  /** Rotates the access token of the request. */
  @Post('self/rotate')
  @RateLimit('token_creation')
  @HttpCode(200)
  @Scopes('self_rotate')
  @Asks('signed_in')
  @Refuses(405)
  rotateSelf(
    @CurrentProject() project: ProjectRow,
    @Input() dto: RotateTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<PresentedNewToken> {
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
  ): Promise<PresentedNewToken> {
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
