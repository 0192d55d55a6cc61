import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../core/access/access.decorator.js';
import { mapPage } from '../core/pagination/page.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { IntegerId } from '../core/params/ids.js';
import { Input } from '../core/params/input.decorator.js';
import { Presenting, type Presentation } from '../core/presentation.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import { fullPathOf, type ProjectRow } from '../projects/project-row.js';
import { ListMilestonesDto } from './dto/list-milestones.dto.js';
import { assertMilestonesEnabled } from './milestone-rules.js';
import { presentMilestone, type PresentedMilestone } from './milestone.presenter.js';
import { MilestonesFinder } from './milestones-finder.service.js';

/** Reading the milestones of a project. */
@Controller('projects/:id/milestones')
@Scopes()
@ProjectAbility('read_milestone')
export class MilestonesController {
  constructor(private readonly finder: MilestonesFinder) {}

  /** Lists the milestones of a project, those that are due first before the others. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListMilestonesDto,
    @Presenting() { baseUrl }: Presentation,
    @Pages() paging: Paging,
  ): Promise<PresentedMilestone[]> {
    assertMilestonesEnabled(project);
    const page = await this.finder.list(project.id, filters, paging);
    const place = { baseUrl, projectFullPath: fullPathOf(project) };
    return paging.write(mapPage(page, (row) => presentMilestone(row, place)));
  }

  /** Shows a milestone by its id, not its number in the project. */
  @Get(':milestone_id')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_id') id: number,
    @Presenting() { baseUrl }: Presentation,
  ): Promise<PresentedMilestone> {
    assertMilestonesEnabled(project);
    const milestone = await this.finder.find(project.id, id);
    return presentMilestone(milestone, { baseUrl, projectFullPath: fullPathOf(project) });
  }
}
