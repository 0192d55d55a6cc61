import { Controller, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { Auth, type SignedInContext } from '../../core/access/auth-context.js';
import { ApiEmptyResponses, ApiResponses } from '../../core/openapi/api.decorators.js';
import { CurrentGroup, GroupAbility } from '../groups/group-access.guard.js';
import type { GroupRow } from '../groups/groups.repository.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { LabelName } from './label.dto.js';
import {
  presentGroupLabel,
  presentLabel,
  type GroupLabelResponse,
  type LabelResponse,
} from './label.response.js';
import { LabelsRepository } from './labels.repository.js';

/** Subscriptions to labels of a project and of the groups above it; also in archived projects. */
@Controller('projects/:id/labels/:label_id')
@Scopes()
@ProjectAbility('read_label', 'signed_in')
export class ProjectLabelSubscriptionsController {
  constructor(private readonly labels: LabelsRepository) {}

  /** Subscribes to a label; 304 if the viewer is subscribed already. */
  @Post('subscribe')
  @ApiResponses(201)
  @ApiEmptyResponses(304)
  subscribe(
    @CurrentProject() project: ProjectRow,
    @LabelName() name: string,
    @Auth() actor: SignedInContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LabelResponse | undefined> {
    return this.set(project, { name, actor, response }, true);
  }

  /** Unsubscribes from a label; 304 if the viewer is not subscribed. */
  @Post('unsubscribe')
  @ApiResponses(201)
  @ApiEmptyResponses(304)
  unsubscribe(
    @CurrentProject() project: ProjectRow,
    @LabelName() name: string,
    @Auth() actor: SignedInContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LabelResponse | undefined> {
    return this.set(project, { name, actor, response }, false);
  }

  private async set(
    { id: projectId }: ProjectRow,
    { name, actor: { viewer }, response }: LabelSubscriptionRequest,
    subscribed: boolean,
  ): Promise<LabelResponse | undefined> {
    const label = await this.labels.findUsable({ projectId }, name);
    if (await this.labels.setSubscribed(viewer.id, label.id, subscribed)) {
      const countsOf = await this.labels.countsOf(viewer, { projectId }, [label.name]);
      return presentLabel(label, { subscribed, counts: countsOf(label.name) });
    }
    response.status(304);
    return undefined;
  }
}

/** Subscriptions to labels of a group and of the groups above it. */
@Controller('groups/:id/labels/:label_id')
@Scopes()
@GroupAbility('read_group', 'signed_in')
export class GroupLabelSubscriptionsController {
  constructor(private readonly labels: LabelsRepository) {}

  /** Subscribes to a label; 304 if the viewer is subscribed already. */
  @Post('subscribe')
  @ApiResponses(201)
  @ApiEmptyResponses(304)
  subscribe(
    @CurrentGroup() group: GroupRow,
    @LabelName() name: string,
    @Auth() actor: SignedInContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GroupLabelResponse | undefined> {
    return this.set(group, { name, actor, response }, true);
  }

  /** Unsubscribes from a label; 304 if the viewer is not subscribed. */
  @Post('unsubscribe')
  @ApiResponses(201)
  @ApiEmptyResponses(304)
  unsubscribe(
    @CurrentGroup() group: GroupRow,
    @LabelName() name: string,
    @Auth() actor: SignedInContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GroupLabelResponse | undefined> {
    return this.set(group, { name, actor, response }, false);
  }

  private async set(
    { id: groupId }: GroupRow,
    { name, actor: { viewer }, response }: LabelSubscriptionRequest,
    subscribed: boolean,
  ): Promise<GroupLabelResponse | undefined> {
    const label = await this.labels.findUsable({ groupId }, name);
    if (await this.labels.setSubscribed(viewer.id, label.id, subscribed)) {
      const countsOf = await this.labels.countsOf(viewer, { groupId }, [label.name]);
      return presentGroupLabel(label, { subscribed, counts: countsOf(label.name) });
    }
    response.status(304);
    return undefined;
  }
}

interface LabelSubscriptionRequest {
  /** ID or name of the label. */
  name: string;
  actor: SignedInContext;
  response: Response;
}
