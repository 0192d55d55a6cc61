import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { ResponseContext } from '../../core/response-context.js';
import { presentUserBasic, type UserBasicResponse } from '../../identity/users/user.presenter.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { assertIssuesEnabled } from './issue-rules.js';
import type { FoundIssue } from './sql/issue-list.js';
import type { StateChange } from './issue.entity.js';
import { IssueStateEventsRepository, type StateEventRow } from './issue-state-events.repository.js';
import { IssuesRepository } from './issues.repository.js';

/** State event of an issue. */
interface StateEventResponse {
  id: number;
  user: UserBasicResponse;
  /** @format date-time */
  created_at: string;
  resource_type: 'Issue';
  /** ID of the issue. */
  resource_id: number;
  /** Always null: commits do not close issues. */
  source_commit: null;
  /** Always null. */
  source_merge_request_id: null;
  state: StateChange;
}

/** State events of an issue. */
@Controller('projects/:id/issues/:issue_iid/resource_state_events')
@Scopes()
@ProjectAbility('read_issue')
export class IssueStateEventsController {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly events: IssueStateEventsRepository,
  ) {}

  /** Lists the changes of an issue's state, oldest first. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @IntegerId('issue_iid') iid: number,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<StateEventResponse[]> {
    const { id } = await this.issue(project, iid, presentation);
    const page = await this.events.list(id, paging);
    return paging.write(mapPage(page, (row) => presentStateEvent(row, presentation.baseUrl)));
  }

  /** Shows one change of an issue's state. */
  @Get(':event_id')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('issue_iid') iid: number,
    @IntegerId('event_id') eventId: number,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<StateEventResponse> {
    const { id } = await this.issue(project, iid, presentation);
    return presentStateEvent(await this.events.findInIssue(id, eventId), presentation.baseUrl);
  }

  private issue(
    project: ProjectRow,
    iid: number,
    { viewer }: ResponseContext,
  ): Promise<FoundIssue> {
    assertIssuesEnabled(project);
    return this.issues.findVisible(viewer, project.id, iid);
  }
}

function presentStateEvent(row: StateEventRow, baseUrl: string): StateEventResponse {
  return {
    id: row.id,
    user: presentUserBasic(row.user, baseUrl),
    created_at: row.createdAt.toISOString(),
    resource_type: 'Issue',
    resource_id: row.issueId,
    source_commit: null,
    source_merge_request_id: null,
    state: row.state,
  };
}
