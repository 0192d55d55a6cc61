import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Clock } from '../clock.js';
import { BatchLoader } from '../concurrency.js';
import { inBatches, RunEvery, type IsStopping } from '../durable-work/periodic-task.js';
import { QUEUES } from '../durable-work/queues.js';
import { MailContents, type WrittenMail } from './mail-contents.service.js';
import { MailDeliveryError, MailTransport } from './mail-transport.service.js';
import { MailRetryPolicy, SmtpCircuitBreaker } from './mail-retry-policy.service.js';
import { OutgoingMailsRepository, type SentMail } from './outgoing-mails.repository.js';
import { PURGE_BATCH } from './sql/outgoing-mails.js';

/** Emails of either kind per lease. */
const BATCH = 500;
/** The next batch is leased when this many are left. */
const RESERVE = 250;

const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Retry interval and time limit of recording a sent email: well within the lease. */
const RECORD_RETRY_MS = 1_000;
const RECORD_LIMIT_MS = 120_000;

type Sendable = Pick<WrittenMail, 'mail' | 'email'>;

/** Parameters of normal sending, and of testing a server that failed. */
interface Attempt {
  slots: number;
  limit: number;
  /** Leases once only. */
  isTrial: boolean;
}

/**
 * Sends due emails over the configured number of connections. Each records its email before it takes
 * the next one, so that a killed process can duplicate only emails in progress.
 */
@Injectable()
export class MailDelivery {
  private readonly logger = new Logger(MailDelivery.name);
  private readonly server = new SmtpCircuitBreaker();
  /** Marks all emails that were sent during the previous statement at once. */
  private readonly sent = new BatchLoader((mails: SentMail[]) => this.markSent(mails), {
    running: 1,
    size: 500,
  });

  constructor(
    private readonly outgoing: OutgoingMailsRepository,
    private readonly contents: MailContents,
    private readonly retryPolicy: MailRetryPolicy,
    private readonly transport: MailTransport,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Sends until no email is due, the server is unreachable or the process stops. */
  @RunEvery({ ms: 5_000, queue: QUEUES.mails, failureMessage: 'Sending emails failed' })
  async sendDue(isStopping: IsStopping): Promise<void> {
    while (this.canSend(isStopping)) {
      if (!(await this.sendSome(isStopping))) return;
    }
  }

  /** Deletes emails that are older than 30 days and not queued, and old failures of addresses. */
  @RunEvery({
    ms: 3_600_000,
    countMessage: 'Deleted old emails',
    failureMessage: 'Deleting old emails failed',
  })
  async purge(isStopping: IsStopping): Promise<number> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    await this.outgoing.purgeRefusals();
    return inBatches(PURGE_BATCH, isStopping, () => this.outgoing.purge(before));
  }

  private canSend(isStopping: IsStopping): boolean {
    return !isStopping() && !this.server.isOpen;
  }

  /** Returns true if there were any emails. Tests a server that failed with a single email. */
  private async sendSome(isStopping: IsStopping): Promise<boolean> {
    const attempt: Attempt = this.server.isHalfOpen
      ? { slots: 1, limit: 1, isTrial: true }
      : { slots: this.config.smtpConnections, limit: BATCH, isTrial: false };
    let leased = 0;
    const supply = new PrefetchQueue(async () => {
      if (attempt.isTrial && leased > 0) return [];
      const { count, written } = await this.fetch(attempt.limit);
      leased += count;
      return written;
    }, RESERVE);
    const slots = Array.from({ length: attempt.slots }, () => this.runSlot(supply, isStopping));
    const results = await Promise.allSettled(slots);
    await this.outgoing.release((await supply.end()).map(({ mail }) => mail));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return leased > 0;
  }

  private async fetch(limit: number): Promise<{ count: number; written: WrittenMail[] }> {
    let count = 0;
    for (;;) {
      const mails = await this.outgoing.lease(limit);
      count += mails.length;
      const written = await this.contents.of(mails);
      if (mails.length === 0 || written.length > 0) return { count, written };
    }
  }

  private async runSlot(supply: PrefetchQueue, isStopping: IsStopping): Promise<void> {
    while (this.canSend(isStopping)) {
      const next = await supply.next();
      if (next === null) return;
      const isInTime = performance.now() < next.freshUntil;
      if (isInTime && this.canSend(isStopping)) await this.deliver(next, isStopping);
      else await this.outgoing.release([next.mail]);
    }
  }

  private async deliver({ mail, email }: WrittenMail, isStopping: IsStopping): Promise<void> {
    try {
      await this.transport.send(email);
    } catch (error) {
      if (!(error instanceof MailDeliveryError)) throw error;
      await this.handleFailure({ mail, email }, error);
      return;
    }
    this.server.recordSuccess();
    await this.recordSent({ mail, email }, isStopping);
  }

  private async handleFailure({ mail, email }: Sendable, error: MailDeliveryError): Promise<void> {
    if (error.disposition !== 'server away') {
      this.server.recordSuccess();
      await this.retryPolicy.notTaken(mail, email, error);
      return;
    }
    const seconds = this.server.recordFailure();
    this.logger.warn(`The mail server is tried again in ${seconds} s: ${error.message}`);
    await this.outgoing.retryWhenServerIsUp(mail, seconds, error.message);
  }

  /** Retries while the database is unreachable: an unrecorded email would be sent again. */
  private async recordSent({ mail, email }: Sendable, isStopping: IsStopping): Promise<void> {
    const deadline = Date.now() + RECORD_LIMIT_MS;
    for (;;) {
      try {
        await this.sent.run({ mail, recipient: email.to });
        return;
      } catch (error) {
        if (isStopping() || Date.now() >= deadline) throw error;
        this.logger.warn(`Recording that email ${mail.id} was sent is retried: ${String(error)}`);
        await delay(RECORD_RETRY_MS);
      }
    }
  }

  private async markSent(mails: SentMail[]): Promise<void[]> {
    await this.outgoing.markSent(mails);
    return mails.map(() => undefined);
  }
}

/**
 * Hands out emails one by one, and leases the next batch while the last emails of a batch are being
 * sent, so that senders do not wait for the database.
 */
class PrefetchQueue {
  private waiting: WrittenMail[] = [];
  private fetching: Promise<void> | null = null;
  private isExhausted = false;
  private failure: Error | null = null;

  /** `fetch` returns emails, none when there are no more; called when `reserve` are left. */
  constructor(
    private readonly fetch: () => Promise<WrittenMail[]>,
    private readonly reserve: number,
  ) {}

  /** Returns the next email, null after the last. Throws the error of `fetch` after the last. */
  async next(): Promise<WrittenMail | null> {
    if (this.waiting.length <= this.reserve) this.fetchMore();
    while (this.waiting.length === 0 && this.fetching !== null) await this.fetching;
    if (this.waiting.length === 0 && this.failure !== null) throw this.failure;
    return this.waiting.shift() ?? null;
  }

  /** Stops fetching; returns the remaining emails. */
  async end(): Promise<WrittenMail[]> {
    this.isExhausted = true;
    await this.fetching;
    return this.waiting.splice(0);
  }

  private fetchMore(): void {
    if (this.isExhausted || this.fetching !== null) return;
    this.fetching = this.fetch().then(
      (mails) => this.take(mails),
      (error: unknown) => {
        this.take([]);
        this.failure = error instanceof Error ? error : new Error(String(error));
      },
    );
  }

  private take(mails: readonly WrittenMail[]): void {
    this.fetching = null;
    this.isExhausted ||= mails.length === 0;
    this.waiting.push(...mails);
  }
}
