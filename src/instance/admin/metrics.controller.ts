import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, Header, Headers, Inject, Res, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { NoAuthentication } from '../../core/access/access.decorator.js';
import { credentialDigest } from '../../core/digest.js';
import { RouteNotFoundError, UnauthorizedError } from '../../core/errors.js';
import { ApiErrors, ApiProduces } from '../../core/openapi/api.decorators.js';
import { NotificationsRepository } from '../../core/activity/notifications.repository.js';
import { MetricsRegistry } from '../../core/metrics-registry.js';
import {
  OutgoingMailsRepository,
  type MailCounts,
} from '../../core/mail/outgoing-mails.repository.js';

/** Metrics of this process and of the instance's emails, in the format of Prometheus. */
@Injectable()
export class Metrics {
  readonly contentType: string;
  private readonly registry = new Registry();
  private readonly mails = this.gauge('guildhall_mails', 'Emails by state', ['state']);
  private readonly oldest = this.gauge(
    'guildhall_mails_oldest_waiting_seconds',
    'Age of the oldest queued email, 0 if none is queued',
  );
  private readonly notifications = this.gauge(
    'guildhall_notices_waiting',
    'Notifications whose emails are not created yet',
  );
  private readonly outcomes = new Counter({
    name: 'guildhall_mails_total',
    help: 'Outcomes of emails in all processes; retried counts attempts',
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

  /** Returns the current metrics. */
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
    // The database counts for all processes: its totals replace the previous ones.
    this.outcomes.reset();
    for (const [outcome, count] of Object.entries(totals)) this.outcomes.inc({ outcome }, count);
  }

  private gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}

/** Metrics of the instance, with a credential of their own. */
@Controller('-')
@NoAuthentication()
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Pick<Config, 'metricsToken'>,
  ) {}

  /** Metrics as text; 404 unless METRICS_TOKEN is set, 401 without it as a Bearer token. */
  @Get('metrics')
  @ApiProduces('text/plain')
  @ApiErrors(401, 404)
  @Header('Cache-Control', 'no-store')
  async read(
    @Headers('authorization') authorization: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const { metricsToken } = this.config;
    if (metricsToken === undefined) throw new RouteNotFoundError();
    if (!isEqual(authorization ?? '', `Bearer ${metricsToken}`)) throw new UnauthorizedError();
    response.type(this.metrics.contentType);
    return this.metrics.text();
  }
}

function isEqual(given: string, wanted: string): boolean {
  return timingSafeEqual(credentialDigest(given), credentialDigest(wanted));
}
