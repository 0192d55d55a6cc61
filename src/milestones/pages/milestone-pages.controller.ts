import { Controller, Get, Query } from '@nestjs/common';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { parseInput } from '../../core/params/input.decorator.js';
import { filledIn } from '../../core/ui/form-input.decorator.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/project-row.js';
import { MilestonesFinder } from '../milestones-finder.service.js';
import { milestonePlace, placeInfo } from './milestone-place.js';
import { MilestoneProgress } from './milestone-progress.service.js';
import { MilestonePage } from './milestone.page.js';
import { MilestonesQuery } from './milestones-query.js';
import { MilestonesPage } from './milestones.page.js';

/** The list of a project's milestones, and the page of one. */
@Controller(atRoot('*project_path/-/milestones'))
export class MilestonePagesController {
  constructor(
    private readonly finder: MilestonesFinder,
    private readonly progress: MilestoneProgress,
  ) {}

  /** Lists the milestones of the project, the open ones unless asked otherwise. */
  @Get()
  @ProjectPage('read_milestone', 'anyone')
  async list(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Query() raw: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    const place = milestonePlace(project, shell);
    const query = await parseInput(MilestonesQuery, filledIn(raw));
    const { state, search } = query;
    const [page, counts] = await Promise.all([
      this.finder.list(project.id, { state: state ?? 'active', search }, paging),
      this.finder.count(project.id, { search }),
    ]);
    const ids = page.items.map(({ id }) => id);
    const progressOf = await this.progress.of(project, shell.viewer, ids);
    const content = MilestonesPage({ place, query, page, counts, progressOf, paging });
    return shell.page(content, placeInfo(place));
  }

  /** Shows a milestone by its number in the project. */
  @Get(':milestone_iid')
  @ProjectPage('read_milestone', 'anyone')
  async show(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_iid') iid: number,
  ): Promise<Answer> {
    const place = milestonePlace(project, shell);
    const milestone = await this.finder.findByIid(project.id, iid);
    const progressOf = await this.progress.of(project, shell.viewer, [milestone.id]);
    const progress = progressOf?.(milestone.id) ?? null;
    const { csrfToken } = shell;
    const content = MilestonePage({ csrfToken, place, milestone, progress });
    return shell.page(content, placeInfo(place, milestone.title));
  }
}
