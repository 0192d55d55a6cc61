import { Controller, Get } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { IssueFiltersDto } from './issue-filters.dto.js';
import { assertIssuesEnabled } from './issue-access.js';
import { IssuesRepository, type IssueCounts } from './issues.repository.js';

/** Issue counts by state. */
export interface IssueCountsResponse {
  all: number;
  closed: number;
  opened: number;
}

/** Statistics of issues, the only ones that v4 clients know. */
export interface CountsByStateResponse {
  counts: IssueCountsResponse;
}

/** Number of issues by state. */
export interface IssueStatisticsResponse {
  statistics: CountsByStateResponse;
}

/** Issue counts. */
@Controller()
@Scopes()
export class IssueStatisticsController {
  constructor(private readonly issues: IssuesRepository) {}

  /** Counts issues of all projects; by default those created by the viewer. */
  @Get('issues_statistics')
  @Ability('signed_in')
  async all(
    @Input() filters: IssueFiltersDto,
    @ResponseContext() { viewer }: ResponseContext,
  ): Promise<IssueStatisticsResponse> {
    const selection = { scope: filters.scope ?? 'created_by_me' };
    return presentCounts(await this.issues.countByState(viewer, selection, filters));
  }

  /** Counts the issues of a project that the viewer can see. */
  @Get('projects/:id/issues_statistics')
  @ProjectAbility('read_issue')
  async ofProject(
    @CurrentProject() project: ProjectRow,
    @Input() filters: IssueFiltersDto,
    @ResponseContext() { viewer }: ResponseContext,
  ): Promise<IssueStatisticsResponse> {
    assertIssuesEnabled(project);
    const selection = { projectId: project.id, scope: filters.scope };
    return presentCounts(await this.issues.countByState(viewer, selection, filters));
  }
}

function presentCounts({ all, closed, opened }: IssueCounts): IssueStatisticsResponse {
  return { statistics: { counts: { all, closed, opened } } };
}
