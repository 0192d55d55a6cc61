import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { presentCommit } from './commit.presenter.js';
import { presentComparison, type ComparisonResponse } from './comparison.presenter.js';
import { Comparisons } from './comparisons.service.js';
import { CompareDto, MergeBaseDto } from './ref.dto.js';
import type { CommitResponse } from './commit.response.js';

/** Comparisons of a project's revisions. */
@Controller('projects/:id/repository')
@Scopes()
@ApiErrors(503)
@ProjectAbility('read_code')
export class ComparisonController {
  constructor(private readonly comparisons: Comparisons) {}

  /** Shows the commits and changes that one revision has over another one. */
  @Get('compare')
  async compare(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CompareDto,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<ComparisonResponse> {
    const comparison = await this.comparisons.compare(project, dto);
    const options = { project, unidiff: dto.unidiff === true };
    return presentComparison(comparison, options, presentation);
  }

  /** Shows the merge base of revisions. */
  @Get('merge_base')
  async mergeBase(
    @CurrentProject() project: ProjectRow,
    @Input() { refs }: MergeBaseDto,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<CommitResponse> {
    const commit = await this.comparisons.mergeBase(project, refs);
    return presentCommit(commit, project, presentation);
  }
}
