import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import { ACCEPTED, type Accepted } from '../../core/http/http-response.js';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import { canInProject } from '../../identity/members/abilities.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { BranchesService, type ShownBranch } from './branches.service.js';
import { type CommitResponse, presentCommit, treeUrl } from './commit.response.js';
import { CreateBranchDto, ListBranchesDto } from './ref.dto.js';

/** A branch. */
interface BranchResponse {
  /** @example "main" */
  name: string;
  commit: CommitResponse;
  /** True if the default branch contains all of its commits. */
  merged: boolean;
  /** True for the default branch, which only Maintainers can push to. */
  protected: boolean;
  developers_can_push: boolean;
  developers_can_merge: boolean;
  /** True if the viewer can push to it. */
  can_push: boolean;
  default: boolean;
  web_url: string;
}

function presentBranch(
  { name, commit, isMerged }: ShownBranch,
  project: ProjectRow,
  presentation: ResponseContext,
): BranchResponse {
  const isDefault = name === project.defaultBranch;
  return {
    name,
    commit: presentCommit(commit, project, presentation),
    merged: isMerged,
    protected: isDefault,
    developers_can_push: false,
    developers_can_merge: false,
    can_push: mayPush(project, isDefault, presentation),
    default: isDefault,
    web_url: treeUrl(project, name, presentation),
  };
}

function mayPush(project: ProjectRow, isDefault: boolean, { viewer }: ResponseContext): boolean {
  const { visibility, accessLevel } = project;
  const ability = isDefault ? 'push_protected' : 'push_code';
  return !project.archived && canInProject(ability, { visibility, accessLevel, viewer });
}

/** The branches of a project. */
@Controller('projects/:id/repository')
@Scopes()
@ApiErrors(503)
export class BranchesController {
  constructor(private readonly branches: BranchesService) {}

  /** Lists the branches of a project. */
  @Get('branches')
  @ProjectAbility('read_code')
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListBranchesDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<BranchResponse[]> {
    const page = await this.branches.list(project, filters, paging);
    return paging.write(mapPage(page, (branch) => presentBranch(branch, project, presentation)));
  }

  /** Shows a branch. */
  @Get('branches/:branch')
  @ProjectAbility('read_code')
  async show(
    @CurrentProject() project: ProjectRow,
    @Param('branch') name: string,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<BranchResponse> {
    return presentBranch(await this.branches.find(project, name), project, presentation);
  }

  /**
   * Creates a branch. In an empty repository, creating one from the default branch first commits an
   * empty `README.md` there.
   */
  @Post('branches')
  @ApiErrors(409, 503)
  @ProjectAbility('push_code')
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() { branch, ref }: CreateBranchDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<BranchResponse> {
    await this.branches.create({ project, viewer }, branch, ref);
    return presentBranch(await this.branches.find(project, branch), project, presentation);
  }

  /** Deletes a branch. The default branch cannot be deleted. */
  @Delete('branches/:branch')
  @HttpCode(204)
  @ApiErrors(409, 412, 503)
  @ProjectAbility('push_code')
  async delete(
    @CurrentProject() project: ProjectRow,
    @Param('branch') name: string,
    @CurrentUser() viewer: Viewer,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    await this.branches.delete({ project, viewer }, name, preconditions);
  }

  /** Deletes all branches that are merged into the default branch and have no merge request. */
  @Delete('merged_branches')
  @HttpCode(202)
  @ApiErrors(409, 503)
  @ProjectAbility('push_code')
  async deleteMerged(
    @CurrentProject() project: ProjectRow,
    @CurrentUser() viewer: Viewer,
  ): Promise<Accepted> {
    await this.branches.deleteMerged({ project, viewer });
    return ACCEPTED;
  }
}
