import { InvalidArgumentError, Option } from 'commander';
import { SYSTEM_ACTOR } from '../core/audit/audit.service.js';
import {
  MOVE_KINDS,
  MOVE_STATES,
  type MoveKind,
  type MoveState,
} from '../storage-moves/move-kinds.js';
import { MoveDryRun, type BulkForecast } from '../storage-moves/move-dry-run.service.js';
import { MoveBatches } from '../storage-moves/move-batches.service.js';
import { MoveStatisticsRepository } from '../storage-moves/move-statistics.repository.js';
import type { Cli, RegisterCommand } from './cli.js';
import { CliRepository } from './cli.repository.js';
import { assertNoneFailed, describeMove, watchMoves } from './moves-watch.js';

const MAX_LISTED = 10_000;

interface ScheduleOptions {
  from: string;
  to?: string;
  kind?: MoveKind;
  dryRun?: boolean;
  watch?: boolean;
}

interface ListOptions {
  state?: MoveState;
  kind?: MoveKind;
  limit: number;
}

/** `guildhall moves schedule|list|watch` */
export const registerMoves: RegisterCommand = (program, cli) => {
  const moves = program.command('moves').description('move repositories between storages');
  moves
    .command('schedule')
    .description('move everything off a storage')
    .requiredOption('--from <storage>', 'storage to empty')
    .option('--to <storage>', 'where to (default: drawn by weight)')
    .addOption(kindOption())
    .option('--dry-run', 'only tell how much would be moved')
    .option('--watch', 'wait until all is moved')
    .action((options: ScheduleOptions) => schedule(cli, options));
  moves
    .command('list')
    .description('show the newest moves')
    .addOption(new Option('--state <state>', 'only these').choices(MOVE_STATES))
    .addOption(kindOption())
    .option('--limit <count>', 'how many', parseLimit, 20)
    .action((options: ListOptions) => list(cli, options));
  moves
    .command('watch')
    .description('follow the moves until none is waiting or running')
    .action(() =>
      cli.withApp(async (app) =>
        assertNoneFailed(await watchMoves(cli, app, await app.get(CliRepository).findTime())),
      ),
    );
};

function kindOption(): Option {
  return new Option('--kind <kind>', 'only these (default: all)').choices(MOVE_KINDS);
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LISTED) {
    throw new InvalidArgumentError(`must be a number from 1 to ${MAX_LISTED}.`);
  }
  return limit;
}

async function schedule(cli: Cli, options: ScheduleOptions): Promise<void> {
  const kinds = options.kind === undefined ? MOVE_KINDS : [options.kind];
  await cli.withApp(async (app) => {
    const wishes = kinds.map((kind) => ({ kind, source: options.from, destination: options.to }));
    if (options.dryRun === true) {
      const forecasts: Record<string, BulkForecast> = {};
      const dryRun = app.get(MoveDryRun, { strict: false });
      for (const wish of wishes) forecasts[wish.kind] = await dryRun.ofStorage(wish);
      cli.print(forecasts, describeForecasts(forecasts));
      return;
    }
    const since = await app.get(CliRepository).findTime();
    const moveBatches = app.get(MoveBatches, { strict: false });
    const batches: Record<string, number> = {};
    for (const wish of wishes) {
      batches[wish.kind] = await moveBatches.create(wish, SYSTEM_ACTOR);
    }
    cli.print({ batches }, `Scheduled: everything of kind ${kinds.join(', ')} on ${options.from}`);
    if (options.watch === true) assertNoneFailed(await watchMoves(cli, app, since));
  });
}

function describeForecasts(forecasts: Record<string, BulkForecast>): string {
  return Object.entries(forecasts)
    .map(([kind, forecast]) => {
      const { containers, busy } = forecast;
      return `${kind}: ${containers} to move, ${busy} of them busy`;
    })
    .join('\n');
}

async function list(cli: Cli, { state, kind, limit }: ListOptions): Promise<void> {
  const moves = await cli.withApp((app) =>
    app
      .get(MoveStatisticsRepository, { strict: false })
      .listNewest({ states: state && [state], kind, limit }),
  );
  cli.print(moves, moves.length === 0 ? 'No moves.' : moves.map(describeMove).join('\n'));
}
