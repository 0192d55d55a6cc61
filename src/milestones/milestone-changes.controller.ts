import { Controller, Delete, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../core/access/access.decorator.js';
import { Refuses } from '../core/access/refuses.decorator.js';
import { IntegerId } from '../core/params/ids.js';
import { Input } from '../core/params/input.decorator.js';
import { RateLimit } from '../core/rate-limits/rate-limit.decorator.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import { fullPathOf, type ProjectRow } from '../projects/project-row.js';
import { CreateMilestoneDto } from './dto/create-milestone.dto.js';
import { UpdateMilestoneDto } from './dto/update-milestone.dto.js';
import { Change, type MilestoneChange } from './milestone-change.decorator.js';
import { assertTakesMilestones } from './milestone-rules.js';
import { presentMilestone, type PresentedMilestone } from './milestone.presenter.js';
import { MilestonesFinder } from './milestones-finder.service.js';
import { MilestonesService } from './milestones.service.js';

/** Making and changing milestones of a project: for Planners and above. */
@Controller('projects/:id/milestones')
@Scopes()
@ProjectAbility('admin_milestone')
export class MilestoneChangesController {
  constructor(
    private readonly finder: MilestonesFinder,
    private readonly milestones: MilestonesService,
  ) {}

  /** Creates a milestone. */
  @Post()
  @RateLimit('create')
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateMilestoneDto,
    @Change() { viewer, baseUrl }: MilestoneChange,
  ): Promise<PresentedMilestone> {
    assertTakesMilestones(project);
    const id = await this.milestones.create(project.id, dto, viewer.id);
    return this.present(project, id, baseUrl);
  }

  /** Changes a milestone, closes or activates it. */
  @Put(':milestone_id')
  @Refuses(412)
  async update(
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_id') id: number,
    @Input() dto: UpdateMilestoneDto,
    @Change() { viewer, baseUrl, preconditions }: MilestoneChange,
  ): Promise<PresentedMilestone> {
    assertTakesMilestones(project);
    preconditions.check((await this.finder.find(project.id, id)).updatedAt);
    await this.milestones.update(id, dto, viewer.id);
    return this.present(project, id, baseUrl);
  }

  /** Deletes a milestone; what worked towards it stays. */
  @Delete(':milestone_id')
  @HttpCode(204)
  @Refuses(412)
  async delete(
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_id') id: number,
    @Change() { viewer, preconditions }: MilestoneChange,
  ): Promise<void> {
    assertTakesMilestones(project);
    const milestone = await this.finder.find(project.id, id);
    preconditions.check(milestone.updatedAt);
    await this.milestones.delete(milestone, viewer.id);
  }

  private async present(
    project: ProjectRow,
    id: number,
    baseUrl: string,
  ): Promise<PresentedMilestone> {
    const milestone = await this.finder.find(project.id, id);
    return presentMilestone(milestone, { baseUrl, projectFullPath: fullPathOf(project) });
  }
}
