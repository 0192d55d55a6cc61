import { Controller, Get, Param } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { presentBranch, type BranchResponse } from './branch.presenter.js';
import { BranchesFinder } from './branches-finder.service.js';
import { ListBranchesDto } from './ref.dto.js';

/** Reading the branches of a project. */
@Controller('projects/:id/repository/branches')
@Scopes()
@ApiErrors(503)
@ProjectAbility('read_code')
export class BranchesController {
  constructor(private readonly finder: BranchesFinder) {}

  /** Lists the branches of a project. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListBranchesDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<BranchResponse[]> {
    const page = await this.finder.list(project, filters, paging);
    return paging.write(mapPage(page, (branch) => presentBranch(branch, project, presentation)));
  }

  /** Shows a branch. */
  @Get(':branch')
  async show(
    @CurrentProject() project: ProjectRow,
    @Param('branch') name: string,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<BranchResponse> {
    return presentBranch(await this.finder.find(project, name), project, presentation);
  }
}
