const WINDOW_MS = 10_000;

interface Sample {
  at: number;
  bytes: number;
}

/** Measures a copy's rate over ten seconds, so that estimates follow a changed limit. */
export class CopyRate {
  private samples: Sample[] = [];

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Resets the measurement; earlier bytes, such as those of a verification, do not count. */
  begin(bytes: number): void {
    this.samples = [{ at: this.now(), bytes }];
  }

  /** Returns bytes per second after a total of `bytes`. */
  measure(bytes: number): number {
    const at = this.now();
    this.samples.push({ at, bytes });
    // Keeps the newest sample outside the window as the start of the measurement.
    while ((this.samples[1]?.at ?? at) < at - WINDOW_MS) this.samples.shift();
    const [first = { at, bytes }] = this.samples;
    return Math.round(((bytes - first.bytes) * 1000) / Math.max(at - first.at, 1));
  }
}
