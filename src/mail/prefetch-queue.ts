import type { WrittenMail } from './mail-contents.service.js';

/**
 * Hands out emails one by one, and leases the next batch while the last emails of a batch are being
 * sent, so that senders do not wait for the database.
 */
export class PrefetchQueue {
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
