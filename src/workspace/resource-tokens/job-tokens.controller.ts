import { Controller, Get, Post } from '@nestjs/common';
import {
  Auth,
  CurrentUser,
  type AuthContext,
  type Viewer,
} from '../../core/access/auth-context.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ReadsPrimary } from '../../core/sql/replica/request-reads.js';
import { AllowJobToken, Ability, Scopes } from '../../core/access/access.decorator.js';
import { NotFoundError, UnauthorizedError } from '../../core/errors.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import {
  isJobCredential,
  type JobCredential,
} from '../../identity/auth/job-token-lookup.service.js';
import { presentUserBasic, type UserBasicResponse } from '../../identity/users/user.presenter.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import {
  type ProjectRow,
  ProjectsRepository,
  fullPathOf,
} from '../projects/projects.repository.js';
import { CreateJobTokenDto } from './resource-token.dto.js';
import { JobTokensService } from './job-tokens.service.js';
import type { MintedToken } from '../../identity/tokens/token.presenter.js';

/** New job token. */
interface JobTokenResponse {
  id: number;
  /** Project that it gives access to. */
  project_id: number;
  /** User of the token. */
  user_id: number;
  created_at: string;
  expires_at: string;
  /**
   * Token value, shown only once.
   * @example "svcjt-0a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p"
   */
  token: string;
}

/** Presents a new job token with its value. */
function presentJobToken({ details, raw }: MintedToken): JobTokenResponse {
  return {
    id: details.id,
    project_id: Number(details.projectId),
    user_id: details.userId,
    created_at: details.createdAt.toISOString(),
    expires_at: (details.expiresAt as Date).toISOString(),
    token: raw,
  };
}

/** Job that the token belongs to. */
interface JobResponse {
  /** ID of the job token. */
  id: number;
  /** Project that it gives access to. */
  project: JobProjectResponse;
  /** User of the token. */
  user: UserBasicResponse;
  /** Expiry time of the token. */
  expires_at: string | null;
}

/** The project of a job. */
interface JobProjectResponse {
  id: number;
  name: string;
  path: string;
  /** @example "weavers/loom" */
  path_with_namespace: string;
  /** Clone URL, for the username `svc-ci-token` and the token as password. */
  http_url_to_repo: string;
  web_url: string;
}

/** Presents the job whose token was shown; `baseUrl` is the address of this instance. */
function presentJob(credential: JobCredential, project: ProjectRow, baseUrl: string): JobResponse {
  const webUrl = `${baseUrl}/${fullPathOf(project)}`;
  return {
    id: credential.tokenId,
    project: {
      id: project.id,
      name: project.name,
      path: project.path,
      path_with_namespace: fullPathOf(project),
      http_url_to_repo: `${webUrl}.git`,
      web_url: webUrl,
    },
    // Requests of users in any other state are refused before.
    user: presentUserBasic({ ...credential.user, state: 'active' }, baseUrl),
    expires_at: credential.expiresAt?.toISOString() ?? null,
  };
}

/** Job tokens for external jobs, and the job of such a token. */
@ReadsPrimary()
@Controller()
@Scopes()
export class JobTokensController {
  constructor(
    private readonly jobTokens: JobTokensService,
    private readonly projects: ProjectsRepository,
  ) {}

  /** Creates a job token of the viewer for the project. */
  @Post('projects/:id/job_tokens')
  @RateLimit('token_creation')
  @ProjectAbility('create_job_token')
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateJobTokenDto,
    @CurrentUser() viewer: Viewer,
    @Auth() auth: AuthContext,
  ): Promise<JobTokenResponse> {
    return presentJobToken(await this.jobTokens.create(project, { dto, viewer }, auth));
  }

  /** Shows the job of the request's job token. */
  @Get('job')
  @Ability('signed_in')
  @AllowJobToken()
  async show(
    @Auth() { credential }: AuthContext,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<JobResponse> {
    if (!isJobCredential(credential)) throw new NotFoundError('Job');
    const project = await this.projects.findById(credential.projectId, credential.user.id);
    // It is being deleted, and with it the token.
    if (project === null) throw new UnauthorizedError();
    return presentJob(credential, project, baseUrl);
  }
}
