import { Injectable, Logger } from '@nestjs/common';
import type { MailDeliveryError } from './mail-transport.service.js';
import type { OutgoingEmail } from './mail.js';
import { OutgoingMailsRepository, type LeasedMail } from './outgoing-mails.repository.js';

/** Seconds before the next attempt, after the first, second, … one; then the email fails. */
const PAUSES_SECONDS = [60, 300, 1_800, 7_200, 21_600];
/** Longest random addition: emails that failed together are not retried together. */
const JITTER = 0.2;

/** Decides about emails that could not be sent: another attempt, or failure. */
@Injectable()
export class MailRetryPolicy {
  private readonly logger = new Logger(MailRetryPolicy.name);

  constructor(private readonly mails: OutgoingMailsRepository) {}

  /** Handles a rejection by the server, or a lost connection during the email. */
  async notTaken(mail: LeasedMail, { to }: OutgoingEmail, error: MailDeliveryError): Promise<void> {
    const isPermanent = error.disposition === 'never';
    if (error.isAboutAddress) await this.mails.countRefusal(to, isPermanent);
    if (isPermanent) await this.fail(mail, error.message);
    else await this.retryLater(mail, error.message);
  }

  /** Schedules the next attempt with growing pauses; fails the email after the last one. */
  async retryLater(mail: LeasedMail, reason: string): Promise<void> {
    const pause = PAUSES_SECONDS[mail.attempts - 1];
    if (pause === undefined) {
      await this.fail(mail, reason);
      return;
    }
    const seconds = Math.round(pause * (1 + Math.random() * JITTER));
    this.logger.warn(`Mail ${mail.id} is tried again in ${seconds} s: ${reason}`);
    await this.mails.retryLater(mail, seconds, reason);
  }

  /** Ends an email that is not retried. */
  async fail(mail: LeasedMail, reason: string): Promise<void> {
    this.logger.error(`Mail ${mail.id} (${mail.kind}) was not sent: ${reason}`);
    await this.mails.fail(mail, reason);
  }
}

/** Seconds of the first pause; each further pause is twice as long. */
const FIRST_PAUSE_SECONDS = 5;
const LONGEST_PAUSE_SECONDS = 60;

/**
 * Circuit breaker for the mail server, per process. After failures it pauses deliveries; then a
 * single email tests the server.
 */
export class SmtpCircuitBreaker {
  private pauseSeconds = 0;
  private testedAt = 0;

  /** `now`: milliseconds that never go back. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** True if the last attempt failed. */
  get isHalfOpen(): boolean {
    return this.pauseSeconds > 0;
  }

  /** True while deliveries are paused. */
  get isOpen(): boolean {
    return this.isHalfOpen && this.now() < this.testedAt;
  }

  /** Closes the circuit after any response of the server. */
  recordSuccess(): void {
    this.pauseSeconds = 0;
  }

  /** Opens the circuit, also for several failures at once; returns the seconds until the next test. */
  recordFailure(): number {
    if (this.isOpen) return this.pauseSeconds;
    this.pauseSeconds = this.isHalfOpen
      ? Math.min(this.pauseSeconds * 2, LONGEST_PAUSE_SECONDS)
      : FIRST_PAUSE_SECONDS;
    this.testedAt = this.now() + this.pauseSeconds * 1_000;
    return this.pauseSeconds;
  }
}
