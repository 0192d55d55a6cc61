import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { MailOutbox } from '../../mail/mail-outbox.service.js';
import type { Mail, MailKind } from '../../mail/mail.js';
import type { ReactionKind } from '../alert-reaction.entity.js';
import { STATUS } from '../alert-values.js';
import { alertDigest, alertLetter, type AlertNews, type ToldAlert } from './alert-letter.js';
import {
  alertReaders,
  mailedAlerts,
  type AlertReader,
  type MailedAlert,
} from './alert-mail-rows.js';
import type { DueReaction, ReactionOutcome, ReactionWork } from './reaction-work.js';

/** More events of an alert, or alerts of a project, than these that wait together become one mail. */
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
    const mails = [...byProject(news, due, alerts)].flatMap(([projectId, told]) =>
      (readers.get(projectId) ?? []).flatMap((reader) => this.write(reader, news, told)),
    );
    await this.outbox.enqueueAll(tx, mails);
    const count = mails.length;
    if (count === 0) return { busy: [], summary: null };
    const summary = `Wrote ${count} mails (${KINDS[news].mail})`;
    return { busy: [], summary, committed: () => this.outbox.wake() };
  }

  /** A burst of alerts becomes one mail. */
  private write(reader: AlertReader, news: AlertNews, told: ToldAlert[]): Mail[] {
    const { baseUrl } = this.config;
    const addressed = { to: reader.email, kind: KINDS[news].mail };
    const isBurst = new Set(told.map(({ alert }) => alert.id)).size > MAX_SINGLE;
    if (!isBurst) {
      return told.map((one) => ({
        ...addressed,
        ...alertLetter({ news, ...one, reader, baseUrl }),
      }));
    }
    const digest = alertDigest({ news, told: inTotal(told), reader, baseUrl });
    return digest === null ? [] : [{ ...addressed, ...digest }];
  }
}

/** What is to be told of which project, an entry for each mail that an alert alone would be. */
function byProject(
  news: AlertNews,
  due: readonly DueReaction[],
  alerts: ReadonlyMap<number, MailedAlert>,
): Map<number, ToldAlert[]> {
  const projects = new Map<number, ToldAlert[]>();
  for (const { alertId, events } of due) {
    const alert = alerts.get(alertId);
    if (alert === undefined || !isWorthy(news, alert)) continue;
    const told = projects.get(alert.projectId) ?? [];
    told.push(...mailsOf(events).map((many) => ({ alert, events: many })));
    projects.set(alert.projectId, told);
  }
  return projects;
}

/** Each alert once. */
function inTotal(told: readonly ToldAlert[]): ToldAlert[] {
  const totals = new Map<number, ToldAlert>();
  for (const { alert, events } of told) {
    totals.set(alert.id, { alert, events: events + (totals.get(alert.id)?.events ?? 0) });
  }
  return [...totals.values()];
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
