import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { MailOutbox } from '../../mail/mail-outbox.service.js';
import type { Mail, MailKind } from '../../mail/mail.js';
import type { ReactionKind } from '../alert-reaction.entity.js';
import { STATUS } from '../alert-values.js';
import { alertLetter, type AlertNews } from './alert-letter.js';
import {
  alertReaders,
  mailedAlerts,
  type AlertReader,
  type MailedAlert,
} from './alert-mail-rows.js';
import type { DueReaction, ReactionOutcome, ReactionWork } from './reaction-work.js';

/** More events than these that wait together become one mail. */
const MAX_SINGLE = 5;

const KINDS: Record<AlertNews, { reaction: ReactionKind; mail: MailKind }> = {
  firing: { reaction: 'mail_firing', mail: 'alert_firing' },
  recovery: { reaction: 'mail_recovery', mail: 'alert_recovered' },
};

/** Mails the members whom the project chose what happens to the alerts of their projects. */
@Injectable()
export class AlertMails {
  constructor(
    private readonly outbox: MailOutbox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The work that writes the mails about one of the news. */
  workOn(news: AlertNews): ReactionWork {
    const react = (tx: EntityManager, due: DueReaction[]): Promise<ReactionOutcome> =>
      this.mail(tx, news, due);
    return { kind: KINDS[news].reaction, react };
  }

  private async mail(
    tx: EntityManager,
    news: AlertNews,
    due: DueReaction[],
  ): Promise<ReactionOutcome> {
    const alerts = await mailedAlerts(
      tx,
      due.map(({ alertId }) => alertId),
    );
    const projectIds = [...alerts.values()].map(({ projectId }) => projectId);
    const readers = await alertReaders(tx, projectIds);
    let count = 0;
    for (const { alertId, events } of due) {
      const alert = alerts.get(alertId);
      if (alert === undefined || !isWorthy(news, alert)) continue;
      const addressees = readers.get(alert.projectId) ?? [];
      const mails = mailsOf(events).flatMap((many) =>
        addressees.map((reader) => this.write(reader, { news, alert, events: many })),
      );
      await this.outbox.enqueueAll(tx, mails);
      count += mails.length;
    }
    if (count === 0) return { busy: [], summary: null };
    const summary = `Wrote ${count} mails (${KINDS[news].mail})`;
    return { busy: [], summary, committed: () => this.outbox.wake() };
  }

  private write(
    reader: AlertReader,
    about: { news: AlertNews; alert: MailedAlert; events: number },
  ): Mail {
    const letter = alertLetter({ ...about, reader, baseUrl: this.config.baseUrl });
    return { to: reader.email, kind: KINDS[about.news].mail, ...letter };
  }
}

/** Nobody is told of a problem that somebody has taken up or that is over meanwhile. */
function isWorthy(news: AlertNews, { status }: MailedAlert): boolean {
  return news === 'recovery' || status === STATUS.triggered;
}

/** How many events each of the mails stands for. */
function mailsOf(events: readonly number[]): number[] {
  const total = events.reduce((sum, one) => sum + one, 0);
  return total > MAX_SINGLE ? [total] : [...events];
}
