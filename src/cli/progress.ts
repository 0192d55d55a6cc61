import { SingleBar } from 'cli-progress';
import type { CliIo } from './cli.js';

const MEBIBYTE = 1024 * 1024;
const RATE_UPDATE_MS = 250;
/** Columns of a terminal, beyond which cli-progress cuts a line. */
const LINE_COLUMNS = 80;
const MOST_BAR_COLUMNS = 20;
const LONGEST_AMOUNTS = ' | 99999.9 GiB | 1023.9 MiB/s | ETA 23h59m';

/**
 * Shows a long task on standard error: on a terminal as a bar with rate and remaining time, else as
 * one line at the end of each stage.
 */
export class Progress {
  private bar: SingleBar | null = null;
  private stage = '';
  private unit = '';
  private done = 0;
  private bytes = 0;
  private startedAt = 0;
  private shownAt = 0;

  constructor(
    private readonly io: Pick<CliIo, 'stderr' | 'isTerminal'>,
    private readonly isQuiet: boolean,
  ) {}

  /** Begins a stage with a number of units, such as tables. */
  begin(stage: string, total: number, unit: string): void {
    Object.assign(this, { stage, unit, done: 0, bytes: 0, startedAt: Date.now() });
    if (this.isQuiet || !this.io.isTerminal) return;
    const format = `${stage} {bar} {value}/{total} | {size} | {rate} | ETA {eta_formatted}`;
    // Else Ctrl-C would leave a terminal without wrapping.
    this.bar = new SingleBar({ format, barsize: barColumns(stage, total), linewrap: true });
    this.bar.start(total, 0, this.payload());
  }

  advance(units: number): void {
    this.done += units;
    this.bar?.update(this.done, this.payload());
  }

  addBytes(count: number): void {
    this.bytes += count;
    if (this.bar === null || Date.now() - this.shownAt < RATE_UPDATE_MS) return;
    this.shownAt = Date.now();
    this.bar.update(this.done, this.payload());
  }

  /** Ends the stage; also the one that failed. */
  end(): void {
    this.bar?.stop();
    this.bar = null;
    if (this.isQuiet || this.io.isTerminal || this.stage === '') return;
    const { size, rate } = this.payload();
    const amount = this.bytes === 0 ? '' : `, ${size}, ${rate}`;
    this.io.stderr(`${this.stage}: ${this.done} ${this.unit}${amount}\n`);
    this.stage = '';
  }

  private payload(): { size: string; rate: string } {
    const seconds = Math.max((Date.now() - this.startedAt) / 1000, 0.001);
    return { size: formatBytes(this.bytes), rate: `${formatBytes(this.bytes / seconds)}/s` };
  }
}

/** Returns the columns of a bar that leave room for the longest amounts of its line. */
function barColumns(stage: string, total: number): number {
  const { length } = `${stage}  ${total}/${total}${LONGEST_AMOUNTS}`;
  return Math.min(Math.max(LINE_COLUMNS - length, 0), MOST_BAR_COLUMNS);
}

/** Returns a size such as `12.3 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < MEBIBYTE) return `${Math.ceil(bytes / 1024)} KiB`;
  const mebibytes = bytes / MEBIBYTE;
  return mebibytes < 1024 ? `${mebibytes.toFixed(1)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`;
}
