import { Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import type { JsonText } from '../../core/http/http-response.js';
import { ApiEmptyResponses, ApiErrors } from '../../core/openapi/api.decorators.js';
import { toJsonText } from '../../core/pagination/json-items.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ResponseContext } from '../../core/response-context.js';
import { BriefProject, CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { BriefProjectRow } from '../projects/sql/project-statements.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import {
  IssuableRef,
  RequestContext,
  type ActorContext,
  type IssuableReference,
} from '../spam/request-context.decorator.js';
import { SubscriptionsRepository } from '../subscriptions/subscriptions.repository.js';
import { assertIssuesEnabled, assertTakesIssues } from './issue-rules.js';
import { CreateIssueDto, IssueFiltersDto, ListIssuesDto, UpdateIssueDto } from './issue.dto.js';
import {
  issueFormat,
  presentIssue,
  presentIssueElsewhere,
  presentIssueInList,
  type IssueInListResponse,
  type IssueResponse,
  type IssueStatisticsResponse,
} from './issue.response.js';
import { withLabelDetails } from '../labels/label.response.js';
import { LabelsRepository } from '../labels/labels.repository.js';
import { IssuesRepository, type IssueCounts } from './issues.repository.js';
import { IssuesService } from './issues.service.js';

/** Issues and incidents. */
@Controller()
@Scopes()
export class IssuesController {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly service: IssuesService,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly labels: LabelsRepository,
  ) {}

  /** Lists issues of all projects; by default those created by the viewer. */
  @Get('issues')
  @Ability('signed_in')
  async list(
    @Input() filters: ListIssuesDto,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<IssueInListResponse[]> {
    const selection = { scope: filters.scope ?? 'created_by_me' };
    const page = await this.issues.list(context.viewer, selection, { filters, paging });
    const find = await this.labels.detailsFor(filters, page);
    return paging.write(
      mapPage(page, (row) => withLabelDetails(presentIssueElsewhere(row, context), row, find)),
    );
  }

  /** Counts issues of all projects; by default those created by the viewer. */
  @Get('issues_statistics')
  @Ability('signed_in')
  async count(
    @Input() filters: IssueFiltersDto,
    @ResponseContext() { viewer }: ResponseContext,
  ): Promise<IssueStatisticsResponse> {
    const selection = { scope: filters.scope ?? 'created_by_me' };
    return presentCounts(await this.issues.countByState(viewer, selection, filters));
  }

  /** Counts the issues of a project that the viewer can see. */
  @Get('projects/:id/issues_statistics')
  @ProjectAbility('read_issue')
  async countInProject(
    @CurrentProject() project: ProjectRow,
    @Input() filters: IssueFiltersDto,
    @ResponseContext() { viewer }: ResponseContext,
  ): Promise<IssueStatisticsResponse> {
    assertIssuesEnabled(project);
    const selection = { projectId: project.id, scope: filters.scope };
    return presentCounts(await this.issues.countByState(viewer, selection, filters));
  }

  /** Lists the issues of a project that the viewer can see. */
  @Get('projects/:id/issues')
  @ProjectAbility('read_issue')
  @BriefProject()
  async listInProject(
    @CurrentProject() project: BriefProjectRow,
    @Input() filters: ListIssuesDto,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<JsonText<IssueInListResponse[]>> {
    assertIssuesEnabled(project);
    const selection = { projectId: project.id, scope: filters.scope };
    if (filters.with_labels_details !== true) {
      const list = { filters, paging, format: issueFormat(context) };
      return paging.writeJson(await this.issues.listItems(context.viewer, selection, list));
    }
    const page = await this.issues.list(context.viewer, selection, { filters, paging });
    const find = await this.labels.detailsFor(filters, page);
    const items = mapPage(page, (row) =>
      withLabelDetails(presentIssueInList(row, context), row, find),
    );
    return toJsonText(paging.write(items));
  }

  /** Creates an issue. */
  @Post('projects/:id/issues')
  @RateLimit('create')
  @ProjectAbility('create_issue')
  @ApiErrors(409)
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateIssueDto,
    @RequestContext() actor: ActorContext,
    @ResponseContext() context: ResponseContext,
  ): Promise<IssueResponse> {
    assertTakesIssues(project);
    return this.present(project, await this.service.create(project, dto, actor), context);
  }

  /** Shows an issue by its number in the project. */
  @Get('projects/:id/issues/:issue_iid')
  @ProjectAbility('read_issue')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('issue_iid') iid: number,
    @ResponseContext() context: ResponseContext,
  ): Promise<IssueResponse> {
    assertIssuesEnabled(project);
    return this.present(project, iid, context);
  }

  /** Updates, closes or reopens an issue. */
  @Put('projects/:id/issues/:issue_iid')
  @ProjectAbility('read_issue')
  @ApiErrors(409, 412)
  async update(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateIssueDto,
    @IssuableRef('issue_iid') reference: IssuableReference,
    @ResponseContext() context: ResponseContext,
  ): Promise<IssueResponse> {
    assertTakesIssues(project);
    await this.service.update(project, dto, reference);
    return this.present(project, reference.iid, context);
  }

  /** Deletes an issue permanently. */
  @Delete('projects/:id/issues/:issue_iid')
  @HttpCode(204)
  @ProjectAbility('delete_issue')
  @ApiErrors(412)
  async delete(
    @CurrentProject() project: ProjectRow,
    @IssuableRef('issue_iid') reference: IssuableReference,
  ): Promise<void> {
    assertTakesIssues(project);
    await this.service.delete(project, reference);
  }

  /** Subscribes to an issue; 304 if the viewer is subscribed already. */
  @Post('projects/:id/issues/:issue_iid/subscribe')
  @ProjectAbility('read_issue')
  @ApiEmptyResponses(304)
  subscribe(
    @CurrentProject() project: ProjectRow,
    @IssuableRef('issue_iid') reference: IssuableReference,
    @ResponseContext() context: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssueResponse | undefined> {
    return this.setSubscription({ project, reference, wanted: true }, context, response);
  }

  /** Unsubscribes from an issue (mentions still notify); 304 if the viewer is not subscribed. */
  @Post('projects/:id/issues/:issue_iid/unsubscribe')
  @ProjectAbility('read_issue')
  @ApiEmptyResponses(304)
  unsubscribe(
    @CurrentProject() project: ProjectRow,
    @IssuableRef('issue_iid') reference: IssuableReference,
    @ResponseContext() context: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssueResponse | undefined> {
    return this.setSubscription({ project, reference, wanted: false }, context, response);
  }

  /** Also in archived projects, as a subscription does not change the project. */
  private async setSubscription(
    {
      project,
      reference: { viewer, iid },
      wanted,
    }: { project: ProjectRow; reference: IssuableReference; wanted: boolean },
    context: ResponseContext,
    response: Response,
  ): Promise<IssueResponse | undefined> {
    assertIssuesEnabled(project);
    const { id, subscribed } = await this.issues.findVisible(viewer, project.id, iid);
    const change = { userId: viewer.id, thread: { kind: 'issue', id }, subscribed } as const;
    if (await this.subscriptions.choose(change, wanted)) return this.present(project, iid, context);
    response.status(304);
    return undefined;
  }

  private async present(
    project: ProjectRow,
    iid: number,
    context: ResponseContext,
  ): Promise<IssueResponse> {
    return presentIssue(await this.issues.findVisible(context.viewer, project.id, iid), context);
  }
}

function presentCounts({ all, closed, opened }: IssueCounts): IssueStatisticsResponse {
  return { statistics: { counts: { all, closed, opened } } };
}
