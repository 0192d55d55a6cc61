import { Controller, Post } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { CommitCreation } from './commit-creation.service.js';
import { presentCommitDetail } from './commit.presenter.js';
import { CommitsFinder } from './commits-finder.service.js';
import { CreateCommitDto } from './commit.dto.js';
import type { CommitDetailResponse } from './commit.response.js';
import { wantedCommit } from './wanted-commits.js';

/** Committing to a project without a clone of it. */
@Controller('projects/:id/repository/commits')
@Scopes()
@ApiErrors(409, 503)
@ProjectAbility('push_code')
export class CommitChangesController {
  constructor(
    private readonly creation: CommitCreation,
    private readonly finder: CommitsFinder,
  ) {}

  /** Commits changes of one or more files, on an existing or a new branch. */
  @Post()
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateCommitDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<CommitDetailResponse> {
    const oid = await this.creation.create({ project, viewer }, wantedCommit(dto, viewer));
    const made = await this.finder.find(project, oid, dto.stats !== false);
    return presentCommitDetail({ ...made, pipeline: null }, project, presentation);
  }
}
