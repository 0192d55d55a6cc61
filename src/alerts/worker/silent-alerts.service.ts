import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { AlertBot } from '../../users/alert-bot.service.js';
import { AlertReactionsRepository } from '../alert-reactions.repository.js';
import { AlertHints } from '../alert-hints.service.js';
import { resolveAlerts } from '../alert-resolution.js';
import { STATUS } from '../alert-values.js';
import { statusNote } from '../status-notes.js';

/** Alerts of one transaction. */
const CHUNK = 500;

/** One that tells of itself right now is not silent: who waited for it would look again. */
const SILENT_SQL = `
  SELECT a.id, s.auto_resolve_hours AS hours FROM alert_settings s
  JOIN alerts a ON a.project_id = s.project_id
  JOIN projects p ON p.id = s.project_id
  WHERE s.auto_resolve_hours IS NOT NULL AND NOT p.pending_delete
    AND a.status IN (${STATUS.triggered}, ${STATUS.acknowledged})
    AND a.last_event_at < $1::timestamptz - s.auto_resolve_hours * interval '1 hour'
  LIMIT ${CHUNK} FOR NO KEY UPDATE OF a SKIP LOCKED`;

interface SilentAlert {
  id: number;
  hours: number;
}

/** Resolves the alerts that nothing was heard of for as long as their project says. */
@Injectable()
export class SilentAlerts {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly bot: AlertBot,
    private readonly hints: AlertHints,
    private readonly reactions: AlertReactionsRepository,
  ) {}

  /** One round; answers how many it resolved. */
  async run(isStopping: () => boolean): Promise<number> {
    const authorId = await this.bot.id();
    let [count, resolved] = [0, CHUNK];
    while (resolved === CHUNK && !isStopping()) {
      resolved = await this.sql.transaction((rows) => this.resolveSome(rows, authorId));
      count += resolved;
    }
    if (count > 0) this.hints.wake();
    return count;
  }

  private async resolveSome(rows: TransactionRows, authorId: number): Promise<number> {
    const now = this.clock.now();
    const silent = await rows<SilentAlert>(SILENT_SQL, [now]);
    const hours = new Map(silent.map((alert) => [alert.id, alert.hours]));
    const alertIds = [...hours.keys()];
    await resolveAlerts((text, values) => rows(text, values), {
      alertIds,
      endedAt: now,
      authorId,
      notes: ({ id }) => [statusNote('resolved', silenceText(hours.get(id) ?? 0))],
    });
    await this.reactions.insertClosings(rows, alertIds);
    return alertIds.length;
  }
}

function silenceText(hours: number): string {
  return `because nothing was heard for ${hours} ${hours === 1 ? 'hour' : 'hours'}`;
}
