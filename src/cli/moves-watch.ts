import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { SingleBar } from 'cli-progress';
import {
  type ListedMove,
  type MoveProgress,
  MoveStatisticsRepository,
} from '../storage-moves/move-statistics.repository.js';
import type { MoveState } from '../storage-moves/move-kinds.js';
import { StorageSettings } from '../storage-moves/storage-settings.service.js';
import { type Cli, CliError } from './cli.js';

const POLL_MS = 500;
const FAILED: MoveState[] = ['failed', 'cleanup failed'];
/** Leaves room in 80 columns for a million moves. */
const BAR_COLUMNS = 12;
/** Limit of failures that are printed one by one. */
const SHOWN = 20;

/** Shows the progress of moves: redrawn on a terminal, else a line per change. */
interface Display {
  show(progress: MoveProgress): void;
  end(): void;
}

/**
 * Follows the moves until none is waiting or running, and prints the outcome of those that ended
 * since the given moment: take it before requesting them, as the first can end at once. Returns the
 * number of failed moves.
 */
export async function watchMoves(
  cli: Cli,
  app: INestApplicationContext,
  since: Date,
): Promise<number> {
  await hintAtClosed(cli, app);
  const overview = app.get(MoveStatisticsRepository, { strict: false });
  const display = cli.io.isTerminal && !cli.json ? new Bar() : new Lines(cli);
  try {
    for (;;) {
      const progress = await overview.countProgress(since);
      display.show(progress);
      if (openMoves(progress) === 0) break;
      await delay(POLL_MS);
    }
  } finally {
    display.end();
  }
  const { finished, failed } = await overview.countProgress(since);
  const failures = await overview.listNewest({ states: FAILED, endedSince: since, limit: SHOWN });
  const lines = [`${finished} finished, ${failed} failed`, ...failures.map(describeMove)];
  cli.print({ finished, failed, failures }, lines.join('\n'));
  return failed;
}

/** Throws CliError, which gives scripts an exit code. */
export function assertNoneFailed(failed: number): void {
  if (failed === 0) return;
  const noun = failed === 1 ? 'move' : 'moves';
  throw new CliError(`${failed} ${noun} failed: see \`guildhall moves list --state failed\``);
}

/** Explains why moves do not start. */
async function hintAtClosed(cli: Cli, app: INestApplicationContext): Promise<void> {
  const limits = await app.get(StorageSettings, { strict: false }).all();
  for (const [name, { paused, blockedUntil }] of limits) {
    if (paused) cli.io.stderr(`hint: ${name} is paused: no move from or to it starts\n`);
    else if (blockedUntil)
      cli.io.stderr(`hint: ${name} was full and accepts no moves for a few minutes\n`);
  }
}

/** One line about a move, with the reason when it has failed. */
export function describeMove(move: ListedMove): string {
  const reason = move.error_message === null ? '' : `  ${move.error_message}`;
  const route = `${move.source_storage_name} -> ${move.destination_storage_name}`;
  return `${move.kind} ${move.container_id}  move ${move.id}  ${route}  ${move.state}${reason}`;
}

function openMoves({ unscheduled, waiting, running }: MoveProgress): number {
  return unscheduled + waiting + running;
}

class Bar implements Display {
  private readonly bar = new SingleBar({
    format:
      '{bar} {value}/{total} moves | {running} running | {failed} failed | ETA {eta_formatted}',
    barsize: BAR_COLUMNS,
    // Else Ctrl-C would leave a terminal without wrapping.
    linewrap: true,
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
