import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ApiError, ForbiddenError } from '../../core/errors.js';
import type { Viewer } from '../../core/access/viewer.js';
import { NO_PRECONDITIONS, type Preconditions } from '../../core/preconditions.js';
import { mayAdminister } from '../../workspace/issues/issue-access.js';
import { IssueStates } from '../../workspace/issues/issue-states.service.js';
import { writeSystemNotes } from '../../workspace/notes/notes.repository.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { ErrorGroup } from '../error-group.entity.js';
import type { ErrorStatus } from '../error-values.js';
import { ErrorGroupsRepository } from './error-groups.repository.js';

/** The new status of errors, with the user and preconditions of the request. */
interface WantedStatus {
  status: ErrorStatus;
  viewer: Viewer;
  preconditions?: Preconditions;
}

/** The new assignee of an error, by ID or username; null for none. */
interface WantedAssignee {
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
  ) {}

  /**
   * The caller checks permissions; 403 in an archived project. Resolving closes the issues of the
   * errors where the viewer can close issues. Ids that the project does not have are left aside;
   * errors that are in the state already stay as they are. Throws 412 when one of them has changed
   * since.
   */
  async setStatus(
    project: ProjectRow,
    ids: readonly number[],
    { status, viewer, preconditions = NO_PRECONDITIONS }: WantedStatus,
  ): Promise<StatusChange> {
    assertTakesErrorChanges(project);
    const closes = status === 'resolved' && project.issuesEnabled && mayAdminister(project, viewer);
    return this.dataSource.transaction(async (tx) => {
      // Issues before errors, as everywhere, to avoid deadlocks.
      const issues = closes ? await this.closeIssues(tx, { project, ids, viewer }) : [];
      const found = await this.errors.lockMany(tx, project.id, ids);
      for (const { updatedAt } of found) preconditions.check(updatedAt);
      const foundIds = found.map(({ id }) => id);
      await this.errors.setStatus(tx, foundIds, { status, userId: viewer.id });
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
    { assignee, preconditions = NO_PRECONDITIONS }: WantedAssignee,
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
    });
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

/** 403 in an archived project, which is read-only for everyone. */
function assertTakesErrorChanges(project: ProjectRow): void {
  if (project.archived) throw new ForbiddenError();
}
