import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { SingleBar } from 'cli-progress';
import { Sql } from '../core/sql/sql.service.js';
import { MoveOverview, type MoveProgress } from '../storage-moves/move-overview.service.js';
import type { Cli } from './cli.js';

const LOOK_EVERY_MS = 500;

/** Shows how moves get on: over itself on a terminal, a line per change into a pipe. */
interface Display {
  show(progress: MoveProgress): void;
  end(): void;
}

/** Now, by the clock that moves are dated with. */
export async function databaseTime(app: INestApplicationContext): Promise<Date> {
  const row = await app.get(Sql).row<{ now: Date }>('SELECT now() AS now');
  return row?.now ?? new Date();
}

/**
 * Follows the moves until nothing waits or runs any more, and prints what became of those made
 * since the given moment: taken before they are asked for, as the first may end at once.
 */
export async function watchMoves(
  cli: Cli,
  app: INestApplicationContext,
  since: Date,
): Promise<void> {
  const overview = app.get(MoveOverview, { strict: false });
  const display = cli.io.isTerminal && !cli.json ? new Bar() : new Lines(cli);
  try {
    for (;;) {
      const progress = await overview.progress(since);
      display.show(progress);
      if (openMoves(progress) === 0) break;
      await delay(LOOK_EVERY_MS);
    }
  } finally {
    display.end();
  }
  const { finished, failed } = await overview.progress(since);
  cli.print({ finished, failed }, `${finished} finished, ${failed} failed`);
}

function openMoves({ unscheduled, waiting, running }: MoveProgress): number {
  return unscheduled + waiting + running;
}

class Bar implements Display {
  private readonly bar = new SingleBar({
    format: '{bar} {value}/{total} moves | {running} running | {failed} failed | {eta_formatted}',
    hideCursor: true,
  });
  private isStarted = false;

  show(progress: MoveProgress): void {
    const done = progress.finished + progress.failed;
    const total = done + openMoves(progress);
    const { running, failed } = progress;
    if (!this.isStarted) this.bar.start(total, done, { running, failed });
    this.isStarted = true;
    this.bar.setTotal(total);
    this.bar.update(done, { running, failed });
  }

  end(): void {
    if (this.isStarted) this.bar.stop();
  }
}

class Lines implements Display {
  private last = '';

  constructor(private readonly cli: Cli) {}

  show(progress: MoveProgress): void {
    const { unscheduled, waiting, running, finished, failed } = progress;
    const line =
      `${unscheduled + waiting} waiting, ${running} running, ` +
      `${finished} finished, ${failed} failed`;
    if (line === this.last) return;
    this.last = line;
    // Under --json standard output holds results and nothing else.
    if (this.cli.json) this.cli.io.stderr(`${line}\n`);
    else this.cli.io.stdout(`${line}\n`);
  }

  end(): void {
    this.last = '';
  }
}
