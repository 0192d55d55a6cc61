import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';
import { ApiError, NotFoundError } from '../../core/errors.js';
import { writeSystemNotes } from '../../notes/system-notes.js';
import { User } from '../../users/user.entity.js';
import { ALERT_STATUSES, statusNumber, statusOf, type AlertStatus } from '../alert-values.js';
import { Alert } from '../alert.entity.js';
import { statusNote } from '../status-notes.js';
import { AlertAssignees, type Assignee } from './alert-assignees.service.js';
import type { FoundAlert } from './alert-row.js';
import { assertTakesAlertChanges, type PlacedAlert } from './alert-rules.js';
import { AlertsFinder } from './alerts-finder.service.js';
import type { UpdateAlertDto } from './dto/update-alert.dto.js';

/** What a request sets; undefined keeps what there is. */
interface Wish {
  status: AlertStatus | undefined;
  assignee: Assignee | null | undefined;
}

interface LockedAlert {
  status: number;
  assigneeId: number | null;
}

/** Without a join: after waiting, PostgreSQL would join what belonged to the row before. */
const LOCK_SQL = `
  SELECT status, assignee_id AS "assigneeId" FROM alerts WHERE id = $1 FOR NO KEY UPDATE`;

const ALREADY_OPEN =
  'An alert with the same fingerprint is already open. To change the status of this alert, resolve the linked alert.';

/** Changes status and assignee of alerts; each status may follow each other one. */
@Injectable()
export class AlertChanges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly assignees: AlertAssignees,
    private readonly finder: AlertsFinder,
  ) {}

  /**
   * The caller has decided that the actor may. Answers the alert as it is then. Throws 403 in an
   * archived project, 400 when nothing is given, for an unknown status, for an assignee who cannot
   * read alerts, and for opening a resolved alert beside an open one of the same fingerprint.
   */
  async update(
    { project, alert }: PlacedAlert,
    dto: UpdateAlertDto,
    actor: { id: number },
  ): Promise<FoundAlert> {
    assertTakesAlertChanges(project);
    const status = wantedStatus(dto);
    const assignee = await this.assignees.wanted(project.id, dto);
    if (status === undefined && assignee === undefined) {
      throw new ApiError(400, { message: 'Please provide attributes to update' });
    }
    await this.save(alert.id, { status, assignee }, actor.id);
    return this.finder.find(project.id, alert.iid);
  }

  private async save(id: number, wish: Wish, authorId: number): Promise<void> {
    try {
      await this.dataSource.transaction((tx) => change(tx, { id, wish, authorId }));
    } catch (error) {
      if (!isSecondOpenAlert(error)) throw error;
      throw new ApiError(400, { message: ALREADY_OPEN }, { cause: error });
    }
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
  { id, wish, authorId }: { id: number; wish: Wish; authorId: number },
): Promise<void> {
  const [before] = await tx.query<LockedAlert[]>(LOCK_SQL, [id]);
  if (before === undefined) throw new NotFoundError();
  const status = statusChange(before, wish.status);
  const assignee = await assigneeChange(tx, before, wish.assignee);
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
