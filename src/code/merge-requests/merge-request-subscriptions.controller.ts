import { Controller, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiEmptyResponses, ApiResponses } from '../../core/openapi/api.decorators.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { assertMergeRequestsEnabled } from './merge-request-access.js';
import { MergeRequestRef, type MergeRequestReference } from './merge-request-ref.decorator.js';
import { MergeRequestSubscriptions } from './merge-request-subscriptions.service.js';
import { MergeRequestPageRenderer } from './merge-request-page-renderer.service.js';
import { presentMergeRequest } from './merge-request.presenter.js';
import type { MergeRequestResponse } from './merge-request.response.js';

/** A request to subscribe or unsubscribe, and its response. */
interface SubscriptionRequest {
  project: ProjectRow;
  change: MergeRequestReference;
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
    private readonly subscriptions: MergeRequestSubscriptions,
    private readonly views: MergeRequestPageRenderer,
  ) {}

  /** Subscribes to a merge request; 304 if the viewer is subscribed already. */
  @Post('subscribe')
  @ApiResponses(201)
  @ApiEmptyResponses(304)
  subscribe(
    @CurrentProject() project: ProjectRow,
    @MergeRequestRef() change: MergeRequestReference,
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
    @MergeRequestRef() change: MergeRequestReference,
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
    if (await this.subscriptions.set({ viewer, projectId: project.id, iid }, wanted)) {
      const { row, ...found } = await this.views.show({ project, viewer, iid });
      return presentMergeRequest(row, found, presentation);
    }
    response.status(304);
    return undefined;
  }
}
