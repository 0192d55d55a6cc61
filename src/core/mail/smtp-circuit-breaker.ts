/** Seconds to leave a server alone that is away: twice as long each time. */
const FIRST_PAUSE_SECONDS = 5;
const LONGEST_PAUSE_SECONDS = 60;

/**
 * Circuit breaker for the mail server, per process. After failures it pauses deliveries; then a
 * single email tests the server.
 */
export class SmtpCircuitBreaker {
  private pauseSeconds = 0;
  private triedAgainAt = 0;

  /** `now`: milliseconds that never go back. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Did not answer when it was tried last. */
  get isHalfOpen(): boolean {
    return this.pauseSeconds > 0;
  }

  /** Is to be left alone for now. */
  get isOpen(): boolean {
    return this.isHalfOpen && this.now() < this.triedAgainAt;
  }

  /** Notes any response of the server. */
  answered(): void {
    this.pauseSeconds = 0;
  }

  /** It did not answer; the seconds for which it is left alone. Several mails may tell it at once. */
  wentAway(): number {
    if (this.isOpen) return this.pauseSeconds;
    this.pauseSeconds = this.isHalfOpen
      ? Math.min(this.pauseSeconds * 2, LONGEST_PAUSE_SECONDS)
      : FIRST_PAUSE_SECONDS;
    this.triedAgainAt = this.now() + this.pauseSeconds * 1_000;
    return this.pauseSeconds;
  }
}
