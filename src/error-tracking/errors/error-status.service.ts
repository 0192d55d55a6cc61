import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { ApiError, ForbiddenError } from '../../core/errors.js';
import { NO_PRECONDITIONS, type Preconditions } from '../../core/preconditions.js';
import { mayAdminister } from '../../workspace/issues/issue-rules.js';
import { IssueStates } from '../../workspace/issues/issue-states.service.js';
import { writeSystemNotes } from '../../workspace/notes/notes.repository.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { ErrorGroup } from '../error-group.entity.js';
import type { ErrorStatus } from '../error-values.js';
import { ErrorActivitiesRepository } from '../error-activities.repository.js';
import { ErrorReleasesRepository } from '../releases/error-releases.repository.js';
import { newestRelease } from '../releases/release-order.js';
import { ErrorGroupsRepository } from './error-groups.repository.js';

/** Condition that ends a resolved or an ignored status. */
export interface StatusCondition {
  /** Of `resolved`: only events of a newer release reopen the errors. */
  inNextRelease?: boolean;
  /** Of `ignored`: its end. */
  until?: Date | null;
  /** Of `ignored`: the number of further events that end it. */
  events?: number | null;
}

/** The new status of errors, with the user and preconditions of the request. */
interface WantedStatus extends StatusCondition {
  status: ErrorStatus;
  viewer: Viewer;
  preconditions?: Preconditions;
}

/** The new assignee of an error, by ID or username; null for none. */
interface WantedAssignee {
  viewer: Viewer;
  assignee: { id: number | null; username: string | null } | null;
  preconditions?: Preconditions;
}

/** Result of updating several errors. */
export interface StatusChange {
  /** Those of the wanted errors that the project has; they are in that state now. */
  ids: number[];
  /** Numbers of the issues that were closed on that occasion. */
  closedIssueIids: number[];
}

interface LinkedIssue {
  id: number;
  iid: number;
}

const NOTE = 'closed this issue because its error was resolved';

/** Changes status and assignee of errors; each status can follow each other one. */
@Injectable()
export class ErrorStatusService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly errors: ErrorGroupsRepository,
    private readonly states: IssueStates,
    private readonly releases: ErrorReleasesRepository,
    private readonly activities: ErrorActivitiesRepository,
  ) {}

  /**
   * The caller checks permissions; 403 in an archived project. Resolving closes the issues of the
   * errors where the viewer can close issues. Ids that the project does not have are left aside;
   * errors that are in the state already stay as they are. Throws 412 when one of them has changed
   * since, and 400 for the next release of a project without releases.
   */
  async setStatus(
    project: ProjectRow,
    ids: readonly number[],
    { status, viewer, preconditions = NO_PRECONDITIONS, ...condition }: WantedStatus,
  ): Promise<StatusChange> {
    assertTakesErrorChanges(project);
    const closes = status === 'resolved' && project.issuesEnabled && mayAdminister(project, viewer);
    const release = condition.inNextRelease ? await this.newestRelease(project.id) : null;
    const { until = null, events = null } = condition;
    const detail = detailOf({ release, until, events });
    return this.dataSource.transaction(async (tx) => {
      // Issues before errors, as everywhere, to avoid deadlocks.
      const issues = closes ? await this.closeIssues(tx, { project, ids, viewer }) : [];
      const found = await this.errors.lockMany(tx, project.id, ids);
      for (const { updatedAt } of found) preconditions.check(updatedAt);
      const foundIds = found.map(({ id }) => id);
      const userId = viewer.id;
      const wanted = { status, userId, release, until, events, detail };
      await this.errors.setStatus(tx, foundIds, wanted);
      return { ids: foundIds, closedIssueIids: issues.map(({ iid }) => iid) };
    });
  }

  /**
   * Assigns an error to a user, or to no one for null. The caller checks permissions; 403 in an
   * archived project, 412, and 400 for users who cannot read the errors of the project, also for
   * unknown ones, so that the answer does not reveal which users exist.
   */
  async assign(
    project: ProjectRow,
    errorId: number,
    { assignee, viewer, preconditions = NO_PRECONDITIONS }: WantedAssignee,
  ): Promise<void> {
    assertTakesErrorChanges(project);
    const user = assignee && (await this.errors.findAssignee(project.id, assignee));
    if (assignee !== null && user === null) {
      throw new ApiError(400, { message: 'Assignee has no permissions' });
    }
    await this.dataSource.transaction(async (tx) => {
      const { updatedAt } = await this.errors.lock(tx, errorId);
      preconditions.check(updatedAt);
      const columns = { assigneeId: user?.id ?? null, updatedAt: () => 'now()' };
      await tx.update(ErrorGroup, { id: errorId }, columns);
      const action = user === null ? 'unassigned' : 'assigned';
      const detail = user?.username ?? null;
      await this.activities.record(tx, [{ errorId, actorId: viewer.id, action, detail }]);
    });
  }

  private async newestRelease(projectId: number): Promise<string> {
    const newest = newestRelease(await this.releases.listLatest(projectId));
    if (newest === null) throw new ApiError(400, { message: 'The project has no releases' });
    return newest.version;
  }

  private async closeIssues(
    tx: EntityManager,
    { project, ids, viewer }: { project: ProjectRow; ids: readonly number[]; viewer: Viewer },
  ): Promise<LinkedIssue[]> {
    const linked = await this.errors.listOpenIssues(tx, project.id, ids);
    const issueIds = linked.map(({ id }) => id);
    const closed = await this.states.close(tx, issueIds, { actorId: viewer.id });
    const notes = closed.map((issueId) => ({ issueId, authorId: viewer.id, body: NOTE }));
    await writeSystemNotes((text, values) => tx.query(text, values), notes);
    return linked.filter(({ id }) => closed.includes(id)).toSorted((a, b) => a.iid - b.iid);
  }
}

/** `after lathe@1.4.0`, `until 2026-03-01T10:00:00.000Z`, `until 100 more events`. */
function detailOf({ release, until, events }: Record<string, unknown>): string | null {
  if (typeof release === 'string') return release;
  if (until instanceof Date) return until.toISOString();
  return typeof events === 'number' ? String(events) : null;
}

/** 403 in an archived project, which is read-only for everyone. */
function assertTakesErrorChanges(project: ProjectRow): void {
  if (project.archived) throw new ForbiddenError();
}
