import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { AlertBot } from '../../users/alert-bot.service.js';
import { AlertReactionsRepository } from '../alert-reactions.repository.js';
import { AlertHints } from '../alert-hints.service.js';
import { resolveAlerts } from '../alert-resolution.js';
import { AlertsRepository, RESOLVED_AT_ONCE } from '../alerts.repository.js';
import { statusNote } from '../status-notes.js';

/** Resolves the alerts that nothing was heard of for as long as their project says. */
@Injectable()
export class StaleAlertResolver {
  constructor(
    private readonly sql: Sql,
    private readonly alerts: AlertsRepository,
    private readonly clock: Clock,
    private readonly bot: AlertBot,
    private readonly hints: AlertHints,
    private readonly reactions: AlertReactionsRepository,
  ) {}

  /** One round; answers how many it resolved. */
  async run(isStopping: () => boolean): Promise<number> {
    const authorId = await this.bot.id();
    let [count, resolved] = [0, RESOLVED_AT_ONCE];
    while (resolved === RESOLVED_AT_ONCE && !isStopping()) {
      resolved = await this.sql.transaction((rows) => this.resolveSome(rows, authorId));
      count += resolved;
    }
    if (count > 0) this.hints.wake();
    return count;
  }

  private async resolveSome(rows: TransactionRows, authorId: number): Promise<number> {
    const now = this.clock.now();
    const silent = await this.alerts.lockSilent(rows, now);
    const hours = new Map(silent.map((alert) => [alert.id, alert.hours]));
    const alertIds = [...hours.keys()];
    await resolveAlerts(this.alerts, (text, values) => rows(text, values), {
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
