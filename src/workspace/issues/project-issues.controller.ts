import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { ListIssuesDto } from './issue-filters.dto.js';
import { assertIssuesEnabled } from './issue-access.js';
import { presentIssue, presentIssueInList } from './issue.presenter.js';
import { IssuesRepository } from './issues.repository.js';
import type { IssueResponse, IssueInListResponse } from './issue.response.js';

/** Reading the issues of a project. */
@Controller('projects/:id/issues')
@Scopes()
@ProjectAbility('read_issue')
export class ProjectIssuesController {
  constructor(private readonly issues: IssuesRepository) {}

  /** Lists the issues of a project that the viewer can see. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListIssuesDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<IssueInListResponse[]> {
    assertIssuesEnabled(project);
    const selection = { projectId: project.id, scope: filters.scope };
    const page = await this.issues.list(presentation.viewer, selection, { filters, paging });
    return paging.write(mapPage(page, (row) => presentIssueInList(row, presentation)));
  }

  /** Shows an issue by its number in the project. */
  @Get(':issue_iid')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('issue_iid') iid: number,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<IssueResponse> {
    assertIssuesEnabled(project);
    const issue = await this.issues.findVisible(presentation.viewer, project.id, iid);
    return presentIssue(issue, presentation);
  }
}
