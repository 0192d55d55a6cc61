import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { BatchLoader } from '../batch-loader.js';
import { Clock } from '../clock.js';
import { inBatches } from '../durable-work/in-batches.js';
import type { IsStopping } from '../durable-work/periodic-task.js';
import { QUEUES } from '../durable-work/queues.js';
import { RunEvery } from '../durable-work/run-every.decorator.js';
import { MailContents, type WrittenMail } from './mail-contents.service.js';
import { MailDeliveryError } from './mail-delivery-error.js';
import { MailRetryPolicy } from './mail-retry-policy.service.js';
import { MailTransport } from './mail-transport.service.js';
import { OutgoingMailsRepository, type SentMail } from './outgoing-mails.repository.js';
import { SmtpCircuitBreaker } from './smtp-circuit-breaker.js';
import { PURGE_BATCH } from './sql/outgoing-mails.js';

/** Mails of either sort that are leased and written at once. */
const BATCH = 500;
/** While so many are left the next ones are got. */
const RESERVE = 250;

const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Retry interval and time limit of recording a sent email: well within the lease. */
const NOTE_AGAIN_MS = 1_000;
const NOTING_MS = 120_000;

type Sendable = Pick<WrittenMail, 'mail' | 'email'>;

/** Parameters of sending while the server answers, and of testing if it answers again. */
interface Round {
  slots: number;
  limit: number;
  /** Gets mails once only. */
  isTrial: boolean;
}

/**
 * Sends the mails that are due, over as many connections as are configured. Each has noted its mail
 * before it takes the next one: when the process is killed, only what was under way may come twice.
 */
@Injectable()
export class MailDelivery {
  private readonly logger = new Logger(MailDelivery.name);
  private readonly server = new SmtpCircuitBreaker();
  /** One statement at a time marks all that were sent while the one before ran. */
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

  /** Goes on until no mail is due, the server is away or `isStopping` says so. */
  @RunEvery({ ms: 5_000, queue: QUEUES.mails, failureMessage: 'Sending mails failed' })
  async sendDue(isStopping: IsStopping): Promise<void> {
    while (this.goesOn(isStopping)) {
      if (!(await this.sendSome(isStopping))) return;
    }
  }

  /** Deletes emails that are older than 30 days and not queued, and old refusals of addresses. */
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

  private goesOn(isStopping: IsStopping): boolean {
    return !isStopping() && !this.server.isOpen;
  }

  /** Returns true if there were any emails. Tests a server that failed with a single email. */
  private async sendSome(isStopping: IsStopping): Promise<boolean> {
    const round: Round = this.server.isHalfOpen
      ? { slots: 1, limit: 1, isTrial: true }
      : { slots: this.config.smtpConnections, limit: BATCH, isTrial: false };
    let leased = 0;
    const supply = new PrefetchQueue(async () => {
      if (round.isTrial && leased > 0) return [];
      const { count, written } = await this.fetch(round.limit);
      leased += count;
      return written;
    }, RESERVE);
    const slots = Array.from({ length: round.slots }, () => this.runSlot(supply, isStopping));
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
    while (this.goesOn(isStopping)) {
      const next = await supply.next();
      if (next === null) return;
      const isInTime = performance.now() < next.freshUntil;
      if (isInTime && this.goesOn(isStopping)) await this.deliver(next, isStopping);
      else await this.outgoing.release([next.mail]);
    }
  }

  private async deliver({ mail, email }: WrittenMail, isStopping: IsStopping): Promise<void> {
    try {
      await this.transport.send(email);
    } catch (error) {
      if (!(error instanceof MailDeliveryError)) throw error;
      await this.notTaken({ mail, email }, error);
      return;
    }
    this.server.answered();
    await this.noteSent({ mail, email }, isStopping);
  }

  private async notTaken({ mail, email }: Sendable, error: MailDeliveryError): Promise<void> {
    if (error.verdict !== 'server away') {
      this.server.answered();
      await this.retryPolicy.notTaken(mail, email, error);
      return;
    }
    const seconds = this.server.wentAway();
    this.logger.warn(`The mail server is tried again in ${seconds} s: ${error.message}`);
    await this.outgoing.retryWhenServerIsUp(mail, seconds, error.message);
  }

  /** Its reader would get the mail again if the database, being away, did not learn of it later. */
  private async noteSent({ mail, email }: Sendable, isStopping: IsStopping): Promise<void> {
    const deadline = Date.now() + NOTING_MS;
    for (;;) {
      try {
        await this.sent.run({ mail, recipient: email.to });
        return;
      } catch (error) {
        if (isStopping() || Date.now() >= deadline) throw error;
        this.logger.warn(`That mail ${mail.id} is sent has to be noted later: ${String(error)}`);
        await delay(NOTE_AGAIN_MS);
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

  /** `fetch` answers some mails, or none when there are no more; `reserve`: when it is called. */
  constructor(
    private readonly fetch: () => Promise<WrittenMail[]>,
    private readonly reserve: number,
  ) {}

  /** The next one; null when there is none. Throws what `fetch` threw when all are handed out. */
  async next(): Promise<WrittenMail | null> {
    if (this.waiting.length <= this.reserve) this.fetchMore();
    while (this.waiting.length === 0 && this.fetching !== null) await this.fetching;
    if (this.waiting.length === 0 && this.failure !== null) throw this.failure;
    return this.waiting.shift() ?? null;
  }

  /** Gets no more; what was not handed out. */
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
