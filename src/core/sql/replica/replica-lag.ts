/** Positions of the primary that are remembered: four minutes. */
const MAX_SAMPLES = 1_000;

/**
 * Age of what a replica shows. The replica alone cannot tell: one that is cut off from its primary has
 * replayed all that it knows of. So positions of the primary are remembered with their times, and
 * the latest that the replica has reached tells how old its rows are at most.
 */
export class ReplicaLag {
  private samples: { position: number; at: number }[] = [];
  private upToDateAt = Number.NEGATIVE_INFINITY;

  /**
   * Takes the position that the primary had at the time, and the one that the replica reached since.
   * Positions are bytes of the log, times milliseconds of one clock.
   */
  note(primary: { position: number; at: number }, replayed: number): void {
    this.samples.push(primary);
    const reached = this.samples.findLastIndex(({ position }) => position <= replayed);
    const latest = this.samples[reached];
    if (latest !== undefined) {
      this.upToDateAt = latest.at;
      this.samples.splice(0, reached);
    }
    if (this.samples.length > MAX_SAMPLES) this.samples.shift();
  }

  /** Forgets all: the replica counts as infinitely old until the next position that it reached. */
  reset(): void {
    this.samples = [];
    this.upToDateAt = Number.NEGATIVE_INFINITY;
  }

  /** Milliseconds of the same clock; infinite when nothing is known. */
  at(now: number): number {
    return now - this.upToDateAt;
  }
}
