import { Controller, Delete, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { CreateIssueDto, UpdateIssueDto } from './issue.dto.js';
import { assertTakesIssues } from './issue-access.js';
import { IssueRef, type IssueReference } from './issue-ref.decorator.js';
import { IssueChangesService } from './issue-changes.service.js';
import type { IssueResponse } from './issue.response.js';
import { type ActorContext, RequestContext } from '../spam/request-context.decorator.js';

/** Creates and updates issues of a project; permissions depend on the issue. */
@Controller('projects/:id/issues')
@Scopes()
export class ProjectIssueChangesController {
  constructor(private readonly changes: IssueChangesService) {}

  /** Creates an issue. */
  @Post()
  @RateLimit('create')
  @ProjectAbility('create_issue')
  @ApiErrors(409)
  create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateIssueDto,
    @RequestContext() change: ActorContext,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<IssueResponse> {
    assertTakesIssues(project);
    return this.changes.create({ project, dto, presentation }, change);
  }

  /** Updates, closes or reopens an issue. */
  @Put(':issue_iid')
  @ProjectAbility('read_issue')
  @ApiErrors(409, 412)
  update(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateIssueDto,
    @IssueRef() change: IssueReference,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<IssueResponse> {
    assertTakesIssues(project);
    return this.changes.update({ project, dto, presentation }, change);
  }

  /** Deletes an issue permanently. */
  @Delete(':issue_iid')
  @HttpCode(204)
  @ProjectAbility('delete_issue')
  @ApiErrors(412)
  delete(@CurrentProject() project: ProjectRow, @IssueRef() change: IssueReference): Promise<void> {
    assertTakesIssues(project);
    return this.changes.delete(project, change);
  }
}
