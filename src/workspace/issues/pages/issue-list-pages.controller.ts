import { Controller, Get, Query } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { filledIn } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import type { IssueType } from '../issue.entity.js';
import { IssuesRepository } from '../issues.repository.js';
import { issuePageContext, placeInfo } from './issue-page-context.js';
import { IssuesPage } from './issues.page.js';
import { filtersOf, IssuesQuery } from './issues-query.js';

interface Asked {
  type: IssueType;
  raw: Record<string, unknown>;
  paging: Paging;
}

/** The lists of a project's issues and incidents; there are none in one that has issues off. */
@Controller(atRoot('*project_path/-'))
export class IssueListPagesController {
  constructor(private readonly repository: IssuesRepository) {}

  /** Lists the issues that the viewer can see, incidents among them. */
  @Get('issues')
  @ProjectPage('read_issue', 'anyone')
  issues(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() raw: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.list(pageContext, project, { type: 'issue', raw, paging });
  }

  /** Lists the incidents that the viewer can see. */
  @Get('incidents')
  @ProjectPage('read_issue', 'anyone')
  incidents(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() raw: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.list(pageContext, project, { type: 'incident', raw, paging });
  }

  private async list(
    pageContext: PageContext,
    project: ProjectRow,
    asked: Asked,
  ): Promise<HttpResponse> {
    const { type, raw, paging } = asked;
    const place = issuePageContext(project, pageContext);
    const query = await parseInput(IssuesQuery, filledIn(raw));
    const filters = filtersOf(query, type);
    const selection = { projectId: project.id };
    const [page, counts] = await Promise.all([
      this.repository.list(pageContext.viewer, selection, { filters, paging }),
      this.repository.countByState(pageContext.viewer, selection, filters),
    ]);
    const content = IssuesPage({ place, type, query, page, counts, paging });
    return pageContext.render(content, placeInfo(place, type));
  }
}
