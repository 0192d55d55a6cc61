import { Injectable } from '@nestjs/common';
import type { ResponseContext } from '../../core/response-context.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { CreateIssueDto, UpdateIssueDto } from './issue.dto.js';
import { assertMayChange } from './issue-access.js';
import type { IssueReference } from './issue-ref.decorator.js';
import { IssueCreationService } from './issue-creation.service.js';
import { IssueDeletionService } from './issue-deletion.service.js';
import { IssueUpdateService } from './issue-update.service.js';
import { presentIssue } from './issue.presenter.js';
import { IssuesRepository } from './issues.repository.js';
import type { IssueResponse } from './issue.response.js';
import type { ActorContext } from '../spam/request-context.decorator.js';

interface Wish<T> {
  project: ProjectRow;
  dto: T;
  presentation: ResponseContext;
}

/**
 * Changes as the endpoints offer them. The order of refusals: 404 for what the viewer cannot see,
 * 403, 412, then what the parameters or the spam check forbid.
 */
@Injectable()
export class IssueChangesService {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly creation: IssueCreationService,
    private readonly updating: IssueUpdateService,
    private readonly deletion: IssueDeletionService,
  ) {}

  /** The caller checks permissions. */
  async create(wish: Wish<CreateIssueDto>, change: ActorContext): Promise<IssueResponse> {
    const { project, dto, presentation } = wish;
    const iid = await this.creation.create(project, dto, change);
    return presentIssue(
      await this.issues.findVisible(change.viewer, project.id, iid),
      presentation,
    );
  }

  async update(wish: Wish<UpdateIssueDto>, change: IssueReference): Promise<IssueResponse> {
    const { project, dto, presentation } = wish;
    const { viewer, iid, preconditions } = change;
    const issue = await this.issues.findVisible(viewer, project.id, iid);
    assertMayChange(issue, viewer);
    preconditions.check(issue.updatedAt);
    await this.updating.update({ project, issue }, dto, change);
    return presentIssue(await this.issues.findVisible(viewer, project.id, iid), presentation);
  }

  /** The caller checks permissions. */
  async delete(project: ProjectRow, change: IssueReference): Promise<void> {
    const issue = await this.issues.findVisible(change.viewer, project.id, change.iid);
    change.preconditions.check(issue.updatedAt);
    await this.deletion.delete(issue, change.auth);
  }
}
