import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';
import { TodosRepository } from '../core/activity/todos.repository.js';
import { ApiError, InvalidParamsError, ForbiddenError } from '../core/errors.js';
import { writeSystemNotes, type RunStatement } from '../workspace/notes/notes.repository.js';
import { User } from '../identity/users/user.entity.js';
import {
  ALERT_STATUSES,
  statusNumber,
  statusOf,
  type AlertStatus,
  statusNote,
} from './alert-values.js';
import { Alert } from './alert.entity.js';
import { AlertsRepository, type Assignee, type ResolvedAlert } from './alerts.repository.js';
import type { FoundAlert } from './sql/alert-list.js';
import type { UpdateAlertDto } from './alert.dto.js';
import type { ProjectRow } from '../workspace/projects/projects.repository.js';

/** An alert and its project, as the viewer can see them. */
export interface ProjectAlert {
  project: ProjectRow;
  alert: FoundAlert;
}

/** Attributes that a request sets; undefined keeps the current value. */
interface RequestedChange {
  status: AlertStatus | undefined;
  assignee: Assignee | null | undefined;
}

/** A change of an alert and its author. */
interface AlertChange {
  id: number;
  requested: RequestedChange;
  authorId: number;
}

interface LockedAlert {
  status: number;
  assigneeId: number | null;
}

const ALREADY_OPEN =
  'An alert with the same fingerprint is already open. To change the status of this alert, resolve the linked alert.';

/** Changes status and assignee of alerts; each status can follow each other one. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly alerts: AlertsRepository,
    private readonly todos: TodosRepository,
  ) {}

  /**
   * The caller checks permissions. Returns the alert as it is then. Throws 403 in an archived
   * project, 400 when nothing is given, for an unknown status, for an assignee who cannot read
   * alerts, and for opening a resolved alert beside an open one of the same fingerprint.
   */
  async update(
    { project, alert }: ProjectAlert,
    dto: UpdateAlertDto,
    actor: { id: number },
  ): Promise<FoundAlert> {
    const requested = await this.requestedChange(project, dto);
    await this.save(alert.id, requested, actor.id);
    return this.alerts.findByIid(project.id, alert.iid);
  }

  /**
   * Changes each of the project's alerts with these numbers as `update` does, those that can be
   * changed also beside others that cannot; returns their number and the last refusal.
   */
  async updateAll(
    { project, iids }: { project: ProjectRow; iids: readonly number[] },
    dto: UpdateAlertDto,
    actor: { id: number },
  ): Promise<{ changed: number; refusal: ApiError | null }> {
    const requested = await this.requestedChange(project, dto);
    const ids = await this.alerts.findIds(project.id, iids);
    let changed = 0;
    let refusal =
      ids.length < iids.length ? new ApiError(400, { message: 'Alert not found' }) : null;
    for (const id of ids) {
      try {
        await this.save(id, requested, actor.id);
        changed += 1;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refusal = error;
      }
    }
    return { changed, refusal };
  }

  private async requestedChange(
    project: ProjectRow,
    dto: UpdateAlertDto,
  ): Promise<RequestedChange> {
    assertTakesAlertChanges(project);
    const status = wantedStatus(dto);
    const assignee = await this.wantedAssignee(project.id, dto);
    if (status === undefined && assignee === undefined) {
      throw new ApiError(400, { message: 'Please provide attributes to update' });
    }
    return { status, assignee };
  }

  /**
   * Returns undefined when the request names no assignee, null to clear it. Throws 400 for users
   * who cannot read the project's alerts, and the same for unknown users, so that the answer does
   * not reveal which users exist.
   */
  private async wantedAssignee(
    projectId: number,
    { assignee_ids: ids, assignee_usernames: usernames }: UpdateAlertDto,
  ): Promise<Assignee | null | undefined> {
    if (ids !== undefined && usernames !== undefined) {
      throw new InvalidParamsError(['assignee_ids, assignee_usernames are mutually exclusive']);
    }
    if (ids === undefined && usernames === undefined) return undefined;
    const [id, username] = [ids?.[0] ?? null, usernames?.[0] ?? null];
    // Clients of v4 send 0 to clear the assignee.
    if (id === 0 || (id === null && username === null)) return null;
    const assignee = await this.alerts.findAssignee(projectId, { id, username });
    if (assignee === null) throw new ApiError(400, { message: 'Assignee has no permissions' });
    return assignee;
  }

  private async save(id: number, requested: RequestedChange, authorId: number): Promise<void> {
    try {
      await this.dataSource.transaction(async (tx) => {
        const before = await this.alerts.lock(tx, id);
        await change(tx, before, { id, requested, authorId });
        await this.keepTodos(tx, before, { id, requested, authorId });
      });
    } catch (error) {
      if (!isSecondOpenAlert(error)) throw error;
      throw new ApiError(400, { message: ALREADY_OPEN }, { cause: error });
    }
  }

  /** Ends the to-dos of everyone or of the author and the former assignee, and adds a new one. */
  private async keepTodos(
    tx: EntityManager,
    before: LockedAlert,
    { id, requested: { status, assignee }, authorId }: AlertChange,
  ): Promise<void> {
    await this.todos.finishAlert(tx, id, status === 'resolved' ? undefined : authorId);
    if (assignee === undefined || (assignee?.id ?? null) === before.assigneeId) return;
    if (before.assigneeId !== null) await this.todos.finishAlert(tx, id, before.assigneeId);
    if (assignee === null || status === 'resolved') return;
    await this.todos.assignAlert(tx, { alertId: id, userId: assignee.id, authorId });
  }
}

function wantedStatus({ status }: UpdateAlertDto): AlertStatus | undefined {
  if (status === undefined) return undefined;
  const known = ALERT_STATUSES.find((name) => name === status);
  if (known === undefined) throw new ApiError(400, { message: 'Invalid status' });
  return known;
}

async function change(
  tx: EntityManager,
  before: LockedAlert,
  { id, requested, authorId }: AlertChange,
): Promise<void> {
  const status = statusChange(before, requested.status);
  const assignee = await assigneeChange(tx, before, requested.assignee);
  if (status === null && assignee === null) return;
  const columns = { ...status?.columns, ...assignee?.columns };
  await tx.update(Alert, { id }, { ...columns, updatedAt: () => 'now()' });
  const notes = [status, assignee].flatMap((done) => (done === null ? [] : [done.note]));
  await writeSystemNotes(
    (text, values) => tx.query(text, values),
    notes.map((body) => ({ alertId: id, authorId, body })),
  );
}

function statusChange(before: LockedAlert, status: AlertStatus | undefined) {
  const old = statusOf(before.status);
  if (status === undefined || status === old) return null;
  const endedAt = status === 'resolved' ? () => 'now()' : null;
  // A reopened alert is news: its old silence must not resolve it again.
  const heard = old === 'resolved' ? { lastEventAt: () => 'now()' } : {};
  const columns = { status: statusNumber(status), endedAt, ...heard };
  return { columns, note: statusNote(status) };
}

async function assigneeChange(
  tx: EntityManager,
  { assigneeId }: LockedAlert,
  assignee: Assignee | null | undefined,
) {
  if (assignee === undefined || (assignee?.id ?? null) === assigneeId) return null;
  const former = assigneeId === null ? null : await tx.findOneBy(User, { id: assigneeId });
  const parts = [
    ...(assignee === null ? [] : [`assigned to @${assignee.username}`]),
    ...(former === null ? [] : [`unassigned @${former.username}`]),
  ];
  return { columns: { assigneeId: assignee?.id ?? null }, note: parts.join(' and ') };
}

function isSecondOpenAlert(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { constraint } = error.driverError as { constraint?: string };
  return constraint === 'uq_alerts_open_fingerprint';
}

/** 403 in an archived project, which is read-only for everyone. */
export function assertTakesAlertChanges(project: ProjectRow): void {
  if (project.archived) throw new ForbiddenError();
}

interface Resolution {
  alertIds: readonly number[];
  endedAt: Date;
  authorId: number;
  /** Markdown of the system notes about it, in their order. */
  notes: (alert: ResolvedAlert) => string[];
}

/** Resolves the open ones of the alerts, adds system notes to them and returns them. */
export async function resolveAlerts(
  alerts: AlertsRepository,
  run: RunStatement,
  { alertIds, endedAt, authorId, notes }: Resolution,
): Promise<ResolvedAlert[]> {
  if (alertIds.length === 0) return [];
  const resolved = await alerts.resolve(run, alertIds, endedAt);
  const written = resolved.flatMap((alert) =>
    notes(alert).map((body) => ({ alertId: alert.id, authorId, body })),
  );
  await writeSystemNotes(run, written);
  return resolved;
}
