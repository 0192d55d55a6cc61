import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { ResponseContext } from '../../core/response-context.js';
import { MilestonesRepository } from '../milestones/milestones.repository.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { assertIssuesEnabled } from './issue-rules.js';
import { presentIssueInList, type IssueInListResponse } from './issue.response.js';
import { IssuesRepository } from './issues.repository.js';

/** The issues that work towards a milestone. */
@Controller('projects/:id/milestones/:milestone_id/issues')
@Scopes()
@ProjectAbility('read_issue')
export class MilestoneIssuesController {
  constructor(
    private readonly milestones: MilestonesRepository,
    private readonly issues: IssuesRepository,
  ) {}

  /** Lists the issues of a milestone that the viewer can see. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_id') id: number,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<IssueInListResponse[]> {
    assertIssuesEnabled(project);
    const milestone = await this.milestones.findInProject(project.id, id);
    const selection = { projectId: project.id, milestoneId: milestone.id };
    const page = await this.issues.list(context.viewer, selection, { filters: {}, paging });
    return paging.write(mapPage(page, (row) => presentIssueInList(row, context)));
  }
}
