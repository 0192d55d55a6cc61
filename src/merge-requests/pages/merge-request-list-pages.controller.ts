import { Controller, Get, Query } from '@nestjs/common';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { parseInput } from '../../core/params/input.decorator.js';
import { filledIn } from '../../core/ui/form-input.decorator.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { MergeRequestsRepository } from '../merge-requests.repository.js';
import { mergeRequestPlace, placeInfo } from './merge-request-place.js';
import { MergeRequestsPage } from './merge-requests.page.js';
import { filtersOf, MergeRequestsQuery } from './merge-requests-query.js';

/** The list of a project's merge requests; there is none in one that has them off. */
@Controller(atRoot('*project_path/-/merge_requests'))
export class MergeRequestListPagesController {
  constructor(private readonly repository: MergeRequestsRepository) {}

  /** Lists the merge requests that the viewer can see, the open ones by default. */
  @Get()
  @ProjectPage('read_merge_request', 'anyone')
  async list(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Query() raw: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    const place = mergeRequestPlace(project, shell);
    const query = await parseInput(MergeRequestsQuery, filledIn(raw));
    const filters = filtersOf(query);
    const selection = { projectId: project.id };
    const [page, counts] = await Promise.all([
      this.repository.list(shell.viewer, selection, { filters, paging }),
      this.repository.countByState(shell.viewer, selection, filters),
    ]);
    const content = MergeRequestsPage({ place, query, page, counts, paging });
    return shell.page(content, placeInfo(place));
  }
}
