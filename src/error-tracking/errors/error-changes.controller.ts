import { Controller, Patch, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { UpdateErrorDto, UpdateErrorsDto } from './error.dto.js';
import { ErrorChanges } from './error-changes.service.js';
import { ErrorDetailsReader } from './error-details-reader.service.js';
import type { PresentedErrorChange, PresentedErrorChanges } from './error.presenter.js';
import { ErrorsRepository } from './errors.repository.js';

/** Updates of a project's errors. */
@Controller('projects/:id/error_tracking/errors')
@Scopes()
@ProjectAbility('admin_error')
export class ErrorChangesController {
  constructor(
    private readonly errors: ErrorsRepository,
    private readonly changes: ErrorChanges,
    private readonly details: ErrorDetailsReader,
  ) {}

  /** Resolves, ignores or reopens several errors. */
  @Put()
  async updateMany(
    @CurrentProject() project: ProjectRow,
    @Input() { error_ids: ids, status }: UpdateErrorsDto,
    @CurrentUser() viewer: Viewer,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<PresentedErrorChanges> {
    const wanted = { status, viewer, preconditions };
    const change = await this.changes.setStatus(project, ids, wanted);
    return { updated_ids: change.ids, closed_issue_iids: change.closedIssueIids };
  }

  /** Resolves, ignores or reopens an error. */
  @Put(':error_id')
  async update(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Input() { status }: UpdateErrorDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() { baseUrl }: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<PresentedErrorChange> {
    const { id: errorId } = await this.errors.get(project.id, id);
    const wanted = { status, viewer, preconditions };
    const { closedIssueIids } = await this.changes.setStatus(project, [errorId], wanted);
    const error = await this.details.read(errorId, { project, baseUrl });
    return { ...error, closed_issue_iid: closedIssueIids[0] ?? null };
  }

  /** The same as PUT. */
  @Patch(':error_id')
  patch(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Input() dto: UpdateErrorDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() presentation: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<PresentedErrorChange> {
    return this.update(project, id, dto, viewer, presentation, preconditions);
  }
}
