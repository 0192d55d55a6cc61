import { Controller, Get, Post } from '@nestjs/common';
import { isJobCredential } from '../../identity/auth/job-token-lookup.service.js';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { AllowJobToken } from '../../core/access/allow-job-token.decorator.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import type { Viewer } from '../../core/access/viewer.js';
import { Auth, CurrentUser } from '../../core/access/viewer.decorator.js';
import { NotFoundError, UnauthorizedError } from '../../core/errors.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import { type ProjectRow, ProjectsRepository } from '../projects/projects.repository.js';
import { CreateJobTokenDto } from './resource-token.dto.js';
import {
  presentJob,
  presentJobToken,
  type JobResponse,
  type JobTokenResponse,
} from './job-token.presenter.js';
import { JobTokensService } from './job-tokens.service.js';

/** Job tokens for external jobs, and the job of such a token. */
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
