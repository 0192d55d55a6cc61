import { Controller, Delete, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors, ApiResponses } from '../../core/openapi/api.decorators.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { presentIssue } from '../../workspace/issues/issue.presenter.js';
import { IssuesRepository } from '../../workspace/issues/issues.repository.js';
import type { IssueResponse } from '../../workspace/issues/issue.response.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { OpenErrorIssueDto } from './error.dto.js';
import { ErrorIssues, type PlacedError } from './error-issues.service.js';
import { ErrorsRepository } from './errors.repository.js';
import {
  type ActorContext,
  RequestContext,
} from '../../workspace/spam/request-context.decorator.js';

/** Issue of an error. Everyone who can change errors can also create issues. */
@Controller('projects/:id/error_tracking/errors/:error_id/issue')
@Scopes()
@ProjectAbility('admin_error')
export class ErrorIssueController {
  constructor(
    private readonly errors: ErrorsRepository,
    private readonly errorIssues: ErrorIssues,
    private readonly issues: IssuesRepository,
  ) {}

  /** Creates an issue for an error; with `issue_iid` links an issue instead, returning 200. */
  @Post()
  @ApiResponses(200, 201)
  @ApiErrors(409)
  @RateLimit('create')
  async create(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Input() dto: OpenErrorIssueDto,
    @RequestContext() change: ActorContext,
    @ResponseContext() presentation: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssueResponse> {
    const placed = await this.place(project, id);
    const wanted = dto.issue_iid ?? null;
    if (wanted !== null) {
      await this.errorIssues.link(placed, wanted, change.viewer);
      response.status(200);
    }
    const wish = { ...dto, baseUrl: presentation.baseUrl };
    const iid = wanted ?? (await this.errorIssues.create(placed, wish, change));
    return presentIssue(
      await this.issues.findVisible(change.viewer, project.id, iid),
      presentation,
    );
  }

  /** Unlinks an error from its issue; both are kept. */
  @Delete()
  @HttpCode(204)
  async delete(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    await this.errorIssues.unlink(await this.place(project, id), preconditions);
  }

  private async place(project: ProjectRow, id: number): Promise<PlacedError> {
    return { project, error: await this.errors.get(project.id, id) };
  }
}
