import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { ListParam } from '../../core/params/params.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { errorTitle } from '../errors/error-group.js';
import { ErrorGroupsRepository } from '../errors/error-groups.repository.js';
import { ErrorMerges } from './error-merges.service.js';
import { ErrorMergesRepository, type MergedError } from './error-merges.repository.js';

/** Errors to merge into another one. */
export class MergeErrorsDto {
  /** IDs of errors of the project. */
  @ListParam({ required: true, of: 'integer', commaSeparated: true, maxItems: 50 })
  error_ids: number[];
}

/** An error that is merged into another one. */
interface MergedErrorResponse {
  id: number;
  /** @example TypeError: Cannot read properties of undefined */
  title: string;
  /** @example checkout(shop.cart) */
  culprit: string;
  /**
   * Number of its own events.
   * @example 12
   */
  count: number;
  last_seen: string;
}

/** Errors that are merged into an error. */
@Controller('projects/:id/error_tracking/errors/:error_id/merged_errors')
@Scopes()
export class ErrorMergesController {
  constructor(
    private readonly errors: ErrorGroupsRepository,
    private readonly service: ErrorMerges,
    private readonly merges: ErrorMergesRepository,
  ) {}

  /** Lists the errors that are merged into an error. */
  @Get()
  @ProjectAbility('read_error')
  async list(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
  ): Promise<MergedErrorResponse[]> {
    const error = await this.errors.get(project.id, id);
    return (await this.merges.listMerged(error.id)).map(presentMergedError);
  }

  /** Merges other errors into an error: it gets their events, counters, tags and fingerprints. */
  @Post()
  @ProjectAbility('admin_error')
  async merge(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Input() { error_ids: ids }: MergeErrorsDto,
    @CurrentUser() viewer: Viewer,
  ): Promise<MergedErrorResponse[]> {
    const error = await this.errors.get(project.id, id);
    await this.service.merge({ project, targetId: error.id, viewer }, ids);
    return (await this.merges.listMerged(error.id)).map(presentMergedError);
  }

  /** Unmerges an error: it gets back its events, counters, tags and fingerprints. */
  @Delete(':merged_error_id')
  @ProjectAbility('admin_error')
  @HttpCode(204)
  async unmerge(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @IntegerId('merged_error_id') mergedId: number,
    @CurrentUser() viewer: Viewer,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    const error = await this.errors.get(project.id, id);
    const target = { project, targetId: error.id, viewer };
    await this.service.unmerge(target, mergedId, preconditions);
  }
}

function presentMergedError(error: MergedError): MergedErrorResponse {
  const { id, culprit, eventsCount: count, lastSeenAt } = error;
  return { id, title: errorTitle(error), culprit, count, last_seen: lastSeenAt.toISOString() };
}
