import { Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AlertsRepository } from '../../alerts/alerts.repository.js';
import { assertMergeRequestsEnabled } from '../../code/merge-requests/merge-request-access.js';
import { MergeRequestsRepository } from '../../code/merge-requests/merge-requests.repository.js';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import { TodosRepository, type TodoTargetRef } from '../../core/activity/todos.repository.js';
import { ForbiddenError } from '../../core/errors.js';
import { ApiEmptyResponses, ApiResponses } from '../../core/openapi/api.decorators.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { assertIssuesEnabled } from '../../workspace/issues/issue-rules.js';
import { IssuesRepository } from '../../workspace/issues/issues.repository.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import {
  IssuableRef,
  type IssuableReference,
} from '../../workspace/spam/request-context.decorator.js';
import { TodoTargets, type TodoResponse } from './todo-targets.service.js';
import { ListTodosDto } from './todo.dto.js';
import { VisibleTodosRepository } from './visible-todos.repository.js';

/** A to-do to add, and its response. */
interface Addition {
  viewer: Viewer;
  target: TodoTargetRef & { projectId: number };
  context: ResponseContext;
  paging: Paging;
  response: Response;
}

/** To-dos of the viewer; also for targets in archived projects, which they do not change. */
@Controller()
@Scopes()
export class TodosController {
  constructor(
    private readonly todos: TodosRepository,
    private readonly visible: VisibleTodosRepository,
    private readonly targets: TodoTargets,
    private readonly issues: IssuesRepository,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly alerts: AlertsRepository,
  ) {}

  /** Lists the viewer's to-dos, newest first; pending ones by default. */
  @Get('todos')
  @Ability('signed_in')
  async list(
    @CurrentUser() viewer: Viewer,
    @Input() filters: ListTodosDto,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<TodoResponse[]> {
    const page = await this.visible.list(viewer.id, filters, paging);
    const items = await this.targets.present(page.items, context, paging);
    return paging.write({ ...page, items });
  }

  /** Marks all pending to-dos of the viewer as done. */
  @Post('todos/mark_as_done')
  @Ability('signed_in')
  @HttpCode(204)
  finishAll(@CurrentUser() viewer: Viewer): Promise<void> {
    return this.todos.finishAll(viewer.id);
  }

  /** Marks all pending to-dos of the viewer as done; another name of `/todos/mark_as_done`. */
  @Post('todos/mark_all_as_done')
  @Ability('signed_in')
  @HttpCode(204)
  finishEach(@CurrentUser() viewer: Viewer): Promise<void> {
    return this.todos.finishAll(viewer.id);
  }

  /** Marks a to-do of the viewer as done. */
  @Post('todos/:id/mark_as_done')
  @Ability('signed_in')
  async finish(
    @CurrentUser() viewer: Viewer,
    @IntegerId('id') id: number,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<TodoResponse> {
    await this.visible.findOwn(viewer.id, id);
    await this.todos.finish(viewer.id, id);
    return this.present(id, { viewer, context, paging });
  }

  /** Adds a to-do for an issue; 304 if one is pending. */
  @Post('projects/:id/issues/:issue_iid/todo')
  @ProjectAbility('read_issue')
  @ApiResponses(201)
  @ApiEmptyResponses(304)
  async addIssue(
    @CurrentProject() project: ProjectRow,
    @IssuableRef('issue_iid') { viewer, iid }: IssuableReference,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TodoResponse | undefined> {
    assertIssuesEnabled(project);
    const { id } = await this.issues.findVisible(viewer, project.id, iid);
    const target = { type: 'issue', id, projectId: project.id } as const;
    return this.add({ viewer, target, context, paging, response });
  }

  /** Adds a to-do for a merge request; 304 if one is pending. */
  @Post('projects/:id/merge_requests/:merge_request_iid/todo')
  @ProjectAbility('read_merge_request')
  @ApiResponses(201)
  @ApiEmptyResponses(304)
  async addMergeRequest(
    @CurrentProject() project: ProjectRow,
    @IssuableRef('merge_request_iid') { viewer, iid }: IssuableReference,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TodoResponse | undefined> {
    assertMergeRequestsEnabled(project);
    const { id } = await this.mergeRequests.findVisible(viewer, project.id, iid);
    const target = { type: 'merge_request', id, projectId: project.id } as const;
    return this.add({ viewer, target, context, paging, response });
  }

  /** Adds a to-do for an alert; 304 if one is pending. */
  @Post('projects/:id/alert_management_alerts/:alert_iid/todo')
  @ProjectAbility('read_alert')
  @ApiResponses(201)
  @ApiEmptyResponses(304)
  async addAlert(
    @CurrentProject() project: ProjectRow,
    @IntegerId('alert_iid') iid: number,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TodoResponse | undefined> {
    const { id } = await this.alerts.findByIid(project.id, iid);
    const target = { type: 'alert', id, projectId: project.id } as const;
    return this.add({ viewer, target, context, paging, response });
  }

  private async add({ target, response, ...request }: Addition): Promise<TodoResponse | undefined> {
    const id = await this.visible.add(request.viewer.id, target);
    if (id !== null) return this.present(id, request);
    // Only people have to-dos; those of a bot would wait forever.
    if (request.viewer.userType !== 'human') throw new ForbiddenError();
    response.status(304);
    return undefined;
  }

  private async present(
    id: number,
    { viewer, context, paging }: Pick<Addition, 'viewer' | 'context' | 'paging'>,
  ): Promise<TodoResponse> {
    const row = await this.visible.findOwn(viewer.id, id);
    const [todo] = await this.targets.present([row], context, paging);
    return todo as TodoResponse;
  }
}
