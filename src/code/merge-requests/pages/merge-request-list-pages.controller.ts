import { Controller, Get, Query } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { filledIn } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { LabelsRepository } from '../../../workspace/labels/labels.repository.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { addressOfTyped } from '../../../workspace/issues/pages/issuable-list.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { MergeRequestsRepository } from '../merge-requests.repository.js';
import { mergeRequestPageContext, mergeRequestPageInfo } from './merge-request-page-context.js';
import { MergeRequestsPage } from './merge-requests.page.js';
import { filtersOf, MergeRequestsQuery } from './merge-requests-query.js';

/** The list of a project's merge requests; there is none in one that has them off. */
@Controller(atRoot('*project_path/-/merge_requests'))
export class MergeRequestListPagesController {
  constructor(
    private readonly repository: MergeRequestsRepository,
    private readonly labels: LabelsRepository,
  ) {}

  /** Lists the merge requests that the viewer can see, the open ones by default. */
  @Get()
  @ProjectPage('read_merge_request', 'anyone')
  async list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() raw: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const context = mergeRequestPageContext(project, pageContext);
    const typed = addressOfTyped(context.path, raw);
    if (typed !== null) return pageContext.redirect(typed);
    const query = await parseInput(MergeRequestsQuery, filledIn(raw));
    const filters = filtersOf(query);
    const selection = { projectId: project.id };
    const [page, counts] = await Promise.all([
      this.repository.list(pageContext.viewer, selection, { filters, paging }),
      this.repository.countByState(pageContext.viewer, selection, filters),
    ]);
    const names = page.items.flatMap((row) => row.labels);
    const labels = await this.labels.byName(project.id, names);
    const content = MergeRequestsPage({ context, query, page, counts, labels, paging });
    return pageContext.render(content, { ...mergeRequestPageInfo(context), count: page.total });
  }
}
