import { Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ACCEPTED, type Accepted } from '../../core/accepted.js';
import { Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { BranchChanges } from './branch-changes.service.js';
import { presentBranch, type BranchResponse } from './branch.presenter.js';
import { BranchesFinder } from './branches-finder.service.js';
import { CreateBranchDto } from './ref.dto.js';

/** Making and deleting branches. */
@Controller('projects/:id/repository')
@Scopes()
@ApiErrors(409, 503)
@ProjectAbility('push_code')
export class BranchChangesController {
  constructor(
    private readonly changes: BranchChanges,
    private readonly finder: BranchesFinder,
  ) {}

  /**
   * Creates a branch. In an empty repository, creating one from the default branch first commits an
   * empty `README.md` there.
   */
  @Post('branches')
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() { branch, ref }: CreateBranchDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<BranchResponse> {
    await this.changes.create({ project, viewer }, branch, ref);
    return presentBranch(await this.finder.find(project, branch), project, presentation);
  }

  /** Deletes a branch. The default branch cannot be deleted. */
  @Delete('branches/:branch')
  @HttpCode(204)
  @ApiErrors(409, 412, 503)
  async delete(
    @CurrentProject() project: ProjectRow,
    @Param('branch') name: string,
    @CurrentUser() viewer: Viewer,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    await this.changes.delete({ project, viewer }, name, preconditions);
  }

  /** Deletes all branches that are merged into the default branch and have no merge request. */
  @Delete('merged_branches')
  @HttpCode(202)
  async deleteMerged(
    @CurrentProject() project: ProjectRow,
    @CurrentUser() viewer: Viewer,
  ): Promise<Accepted> {
    await this.changes.deleteMerged({ project, viewer });
    return ACCEPTED;
  }
}
