import { Controller, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiEmptyResponses, ApiResponses } from '../../core/openapi/api.decorators.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import {
  IssuableRef,
  type IssuableReference,
} from '../../workspace/spam/request-context.decorator.js';
import { assertMergeRequestsEnabled } from './merge-request-access.js';
import { SubscriptionsRepository } from '../../workspace/subscriptions/subscriptions.repository.js';
import { MergeRequestsRepository } from './merge-requests.repository.js';
import { MergeRequestDetailsService } from './merge-request-details.service.js';
import { presentMergeRequest } from './merge-request.presenter.js';
import type { MergeRequestResponse } from './merge-request.response.js';

/** A request to subscribe or unsubscribe, and its response. */
interface SubscriptionRequest {
  project: ProjectRow;
  change: IssuableReference;
  presentation: ResponseContext;
  response: Response;
}

/**
 * Subscriptions to a merge request; also in archived projects, as they do not change the project.
 */
@Controller('projects/:id/merge_requests/:merge_request_iid')
@Scopes()
@ProjectAbility('read_merge_request')
export class MergeRequestSubscriptionsController {
  constructor(
    private readonly requests: MergeRequestsRepository,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly details: MergeRequestDetailsService,
  ) {}

  /** Subscribes to a merge request; 304 if the viewer is subscribed already. */
  @Post('subscribe')
  @ApiResponses(201)
  @ApiEmptyResponses(304)
  subscribe(
    @CurrentProject() project: ProjectRow,
    @IssuableRef('merge_request_iid') change: IssuableReference,
    @ResponseContext() presentation: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MergeRequestResponse | undefined> {
    return this.set({ project, change, presentation, response }, true);
  }

  /**
   * Unsubscribes from a merge request (mentions still notify); 304 if the viewer is not subscribed.
   */
  @Post('unsubscribe')
  @ApiResponses(201)
  @ApiEmptyResponses(304)
  unsubscribe(
    @CurrentProject() project: ProjectRow,
    @IssuableRef('merge_request_iid') change: IssuableReference,
    @ResponseContext() presentation: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MergeRequestResponse | undefined> {
    return this.set({ project, change, presentation, response }, false);
  }

  private async set(
    { project, change, presentation, response }: SubscriptionRequest,
    wanted: boolean,
  ): Promise<MergeRequestResponse | undefined> {
    assertMergeRequestsEnabled(project);
    const { viewer, iid } = change;
    const { id, subscribed } = await this.requests.findVisible(viewer, project.id, iid);
    const current = {
      userId: viewer.id,
      thread: { kind: 'merge_request', id },
      subscribed,
    } as const;
    if (await this.subscriptions.choose(current, wanted)) {
      const { row, ...found } = await this.details.find({ project, viewer, iid });
      return presentMergeRequest(row, found, presentation);
    }
    response.status(304);
    return undefined;
  }
}
