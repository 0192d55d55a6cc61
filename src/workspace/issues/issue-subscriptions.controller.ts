import { Controller, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiEmptyResponses } from '../../core/openapi/api.decorators.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { assertIssuesEnabled } from './issue-access.js';
import { IssueRef, type IssueReference } from './issue-ref.decorator.js';
import { IssueSubscriptions } from './issue-subscriptions.service.js';
import { presentIssue } from './issue.presenter.js';
import type { IssueResponse } from './issue.response.js';

/** Subscriptions to an issue; also in archived projects, as they do not change the project. */
@Controller('projects/:id/issues/:issue_iid')
@Scopes()
@ProjectAbility('read_issue')
export class IssueSubscriptionsController {
  constructor(private readonly subscriptions: IssueSubscriptions) {}

  /** Subscribes to an issue; 304 if the viewer is subscribed already. */
  @Post('subscribe')
  @ApiEmptyResponses(304)
  subscribe(
    @CurrentProject() project: ProjectRow,
    @IssueRef() change: IssueReference,
    @ResponseContext() presentation: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssueResponse | undefined> {
    return this.set({ project, change, presentation, response }, true);
  }

  /** Unsubscribes from an issue (mentions still notify); 304 if the viewer is not subscribed. */
  @Post('unsubscribe')
  @ApiEmptyResponses(304)
  unsubscribe(
    @CurrentProject() project: ProjectRow,
    @IssueRef() change: IssueReference,
    @ResponseContext() presentation: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssueResponse | undefined> {
    return this.set({ project, change, presentation, response }, false);
  }

  private async set(
    asked: {
      project: ProjectRow;
      change: IssueReference;
      presentation: ResponseContext;
      response: Response;
    },
    wanted: boolean,
  ): Promise<IssueResponse | undefined> {
    const { project, change, presentation, response } = asked;
    assertIssuesEnabled(project);
    const issue = await this.subscriptions.set({ ...change, projectId: project.id }, wanted);
    if (issue !== null) return presentIssue(issue, presentation);
    response.status(304);
    return undefined;
  }
}
