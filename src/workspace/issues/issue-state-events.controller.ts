import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { assertIssuesEnabled } from './issue-access.js';
import type { FoundIssue } from './sql/issue-columns.js';
import { presentStateEvent, type StateEventResponse } from './issue-state-event.presenter.js';
import { IssueStateEventsRepository } from './issue-state-events.repository.js';
import { IssuesRepository } from './issues.repository.js';

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
