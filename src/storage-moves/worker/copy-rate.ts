const WINDOW_MS = 10_000;

interface Sample {
  at: number;
  bytes: number;
}

/** How fast a copy has been in the last ten seconds, so that an estimate follows a changed limit. */
export class CopyRate {
  private samples: Sample[] = [];

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Begins anew; what passed before, such as a verification, does not count. */
  begin(bytes: number): void {
    this.samples = [{ at: this.now(), bytes }];
  }

  /** Bytes per second, now that this many have been copied. */
  measure(bytes: number): number {
    const at = this.now();
    this.samples.push({ at, bytes });
    // The newest sample outside the window stays: the rate is measured from there.
    while ((this.samples[1]?.at ?? at) < at - WINDOW_MS) this.samples.shift();
    const [first = { at, bytes }] = this.samples;
    return Math.round(((bytes - first.bytes) * 1000) / Math.max(at - first.at, 1));
  }
}
