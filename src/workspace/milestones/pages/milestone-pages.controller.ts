import { Controller, Get, Query } from '@nestjs/common';
import type { Viewer } from '../../../core/access/viewer.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { filledIn } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { VISIBILITY } from '../../../identity/members/visibility.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import {
  MilestonesRepository,
  type MilestoneProgress,
  type MilestoneRow,
} from '../milestones.repository.js';
import { milestonePageContext, placeInfo } from './milestone-page-context.js';
import { MilestonePage } from './milestone.page.js';
import { MilestonesQuery } from './milestones-query.js';
import { MilestonesPage } from './milestones.page.js';

/** The list of a project's milestones, and the page of one. */
@Controller(atRoot('*project_path/-/milestones'))
export class MilestonePagesController {
  constructor(private readonly repository: MilestonesRepository) {}

  /** Lists the milestones of the project, the active ones by default. */
  @Get()
  @ProjectPage('read_milestone', 'anyone')
  async list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() raw: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const place = milestonePageContext(project, pageContext);
    const query = await parseInput(MilestonesQuery, filledIn(raw));
    const { state, search } = query;
    const [page, counts] = await Promise.all([
      this.repository.list(project.id, { state: state ?? 'active', search }, paging),
      this.repository.countByState(project.id, { search }),
    ]);
    const progressOf = await this.progressOf(project, pageContext.viewer, page.items);
    const content = MilestonesPage({ place, query, page, counts, progressOf, paging });
    return pageContext.render(content, placeInfo(place));
  }

  /** Shows a milestone by its number in the project. */
  @Get(':milestone_iid')
  @ProjectPage('read_milestone', 'anyone')
  async show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_iid') iid: number,
  ): Promise<HttpResponse> {
    const place = milestonePageContext(project, pageContext);
    const milestone = await this.repository.findByIid(project.id, iid);
    const progressOf = await this.progressOf(project, pageContext.viewer, [milestone]);
    const progress = progressOf?.(milestone.id) ?? null;
    const { csrfToken } = pageContext;
    const content = MilestonePage({ csrfToken, place, milestone, progress });
    return pageContext.render(content, placeInfo(place, milestone.title));
  }

  /** Counts the issues that the viewer can see; null in a project with issues turned off. */
  private async progressOf(
    project: ProjectRow,
    viewer: Viewer | null,
    milestones: readonly MilestoneRow[],
  ): Promise<((id: number) => MilestoneProgress) | null> {
    if (!project.issuesEnabled) return null;
    const access = { ...project, visibility: VISIBILITY.private, viewer };
    const seesConfidential = canInProject('read_confidential_issue', access);
    const ids = milestones.map(({ id }) => id);
    const viewerId = viewer?.id ?? null;
    const found = await this.repository.progressOf(ids, { seesConfidential, viewerId });
    return (id) => found.get(id) ?? { total: 0, closed: 0 };
  }
}
