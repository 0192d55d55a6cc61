import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { NotificationsRepository } from '../../../core/activity/notifications.repository.js';
import { MetricsRegistry } from '../../../core/metrics-registry.js';
import {
  OutgoingMailsRepository,
  type MailCounts,
} from '../../../core/mail/outgoing-mails.repository.js';

/** Metrics of this process and of the instance's emails, in the format of Prometheus. */
@Injectable()
export class Metrics {
  readonly contentType: string;
  private readonly registry = new Registry();
  private readonly mails = this.gauge('guildhall_mails', 'Mails by state', ['state']);
  private readonly oldest = this.gauge(
    'guildhall_mails_oldest_waiting_seconds',
    'Age of the oldest mail that waits, 0 without one',
  );
  private readonly notifications = this.gauge(
    'guildhall_notices_waiting',
    'Notifications whose mails are not written yet',
  );
  private readonly outcomes = new Counter({
    name: 'guildhall_mails_total',
    help: 'What became of mails, of all processes; retried counts attempts',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  constructor(
    private readonly outgoing: OutgoingMailsRepository,
    private readonly waitingNotifications: NotificationsRepository,
    private readonly features: MetricsRegistry,
  ) {
    this.contentType = this.registry.contentType;
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counted now. */
  async text(): Promise<string> {
    const [counts, notifications] = await Promise.all([
      this.outgoing.countByState(),
      this.waitingNotifications.countWaiting(),
    ]);
    this.setMails(counts);
    this.notifications.set(notifications);
    return Registry.merge([this.registry, this.features.registry]).metrics();
  }

  private setMails({ queued, retrying, failed, oldestWaitingSeconds, totals }: MailCounts): void {
    this.mails.set({ state: 'waiting' }, queued - retrying);
    this.mails.set({ state: 'retrying' }, retrying);
    this.mails.set({ state: 'failed' }, failed);
    this.oldest.set(oldestWaitingSeconds ?? 0);
    // The database counts for all processes, so its totals replace the previous ones.
    this.outcomes.reset();
    for (const [outcome, count] of Object.entries(totals)) this.outcomes.inc({ outcome }, count);
  }

  private gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}
