import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { ApiError, ForbiddenError, NotFoundError } from '../../core/errors.js';
import { NO_PRECONDITIONS, type Preconditions } from '../../core/preconditions.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { ErrorActivitiesRepository } from '../error-activities.repository.js';
import type { ErrorAction } from '../error-values.js';
import { errorTitle } from '../errors/error-group.js';
import { ErrorMergesRepository, type LockedError } from './error-merges.repository.js';

/** More would make every new event of the target slow. */
const MAX_MERGED = 50;

/** An error of a project, and who changes it. */
interface MergeTarget {
  project: ProjectRow;
  targetId: number;
  viewer: Viewer;
}

/** Merges errors into others and gives them back. The caller checks permissions. */
@Injectable()
export class ErrorMerges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly merges: ErrorMergesRepository,
    private readonly activities: ErrorActivitiesRepository,
  ) {}

  /**
   * Merges errors into the target: their events, counters, tags and fingerprints count as its own.
   * What was merged into them moves along. Throws 403 in an archived project, 404 for errors that
   * the project does not have or that are merged already, and 400 without another error or for too
   * many.
   */
  async merge(
    { project, targetId, viewer }: MergeTarget,
    errorIds: readonly number[],
  ): Promise<void> {
    if (project.archived) throw new ForbiddenError();
    const ids = [...new Set(errorIds)].filter((id) => id !== targetId);
    if (ids.length === 0) throw new ApiError(400, { message: 'Select another error to merge' });
    await this.dataSource.transaction(async (tx) => {
      const locked = await this.merges.lockWithMerged(tx, project.id, [targetId, ...ids]);
      for (const id of [targetId, ...ids]) {
        const error = locked.find((one) => one.id === id);
        if (error === undefined || error.mergedIntoId !== null) throw new NotFoundError('Error');
      }
      if (locked.length - 1 > MAX_MERGED) {
        const message = `At most ${MAX_MERGED} errors can be merged into one`;
        throw new ApiError(400, { message });
      }
      const mergedInto = (id: number): number[] =>
        locked.filter(({ mergedIntoId }) => mergedIntoId === id).map((one) => one.id);
      await this.merges.mergeInto(tx, targetId, new Map(ids.map((id) => [id, mergedInto(id)])));
      const merged = locked.filter(({ id }) => ids.includes(id));
      const entry = activityOf({ targetId, viewer }, 'merged');
      await this.activities.record(tx, merged.map(entry));
    });
  }

  /**
   * Gives a merged error back what was its own, also events that arrived since; it is unresolved.
   * Throws 403 in an archived project, 404 unless it is merged into the target, and 412.
   */
  async unmerge(
    { project, targetId, viewer }: MergeTarget,
    errorId: number,
    preconditions: Preconditions = NO_PRECONDITIONS,
  ): Promise<void> {
    if (project.archived) throw new ForbiddenError();
    await this.dataSource.transaction(async (tx) => {
      const locked = await this.merges.lockWithMerged(tx, project.id, [targetId]);
      const error = locked.find(({ id }) => id === errorId);
      if (error === undefined || error.mergedIntoId !== targetId) throw new NotFoundError('Error');
      preconditions.check(error.updatedAt);
      await this.merges.detach(tx, targetId, errorId);
      await this.activities.record(tx, [activityOf({ targetId, viewer }, 'unmerged')(error)]);
    });
  }
}

function activityOf(
  { targetId, viewer }: Pick<MergeTarget, 'targetId' | 'viewer'>,
  action: ErrorAction,
) {
  return (error: LockedError) => ({
    errorId: targetId,
    actorId: viewer.id,
    action,
    detail: `“${errorTitle(error)}”`,
  });
}
