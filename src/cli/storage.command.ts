import type { INestApplicationContext } from '@nestjs/common';
import { InvalidArgumentError, Option } from 'commander';
import {
  MOVE_KINDS,
  MOVE_STATES,
  type MoveKind,
  type MoveState,
} from '../storage-moves/move-kinds.js';
import { StorageMovesService } from '../storage-moves/storage-moves.service.js';
import { MoveDryRun, type BulkForecast } from '../storage-moves/move-dry-run.service.js';
import { MoveStatisticsRepository } from '../storage-moves/move-statistics.repository.js';
import {
  type StorageSummaryResponse,
  StorageSummaries,
} from '../storage-moves/storage-summary.service.js';
import { StorageSettings } from '../storage-moves/storage-settings.service.js';
import { type Cli, CliError, examplesText, type RegisterCommand } from './cli.js';
import { assertRoute, assertStorage } from './known-storages.js';
import { CliRepository } from './cli.repository.js';
import { assertNoneFailed, describeMove, watchMoves } from './moves-watch.js';

const MAX_LISTED = 10_000;

interface DrainOptions {
  to?: string;
  watch?: boolean;
}

interface ScheduleOptions extends DrainOptions {
  from: string;
  kind?: MoveKind;
  dryRun?: boolean;
}

interface ListOptions {
  state?: MoveState;
  kind?: MoveKind;
  limit: number;
}

const STORAGE_EXAMPLES = [
  'storage status',
  'storage pause storage2',
  'storage drain default --to storage2 --watch',
];
const MOVE_EXAMPLES = [
  'moves schedule --from default --to storage2 --kind project --dry-run',
  'moves list --state failed',
];

/** `guildhall storage status|pause|resume|drain` */
export const registerStorage: RegisterCommand = (program, cli) => {
  const storage = program
    .command('storage')
    .description('show, pause and drain storages')
    .addHelpText('after', examplesText(STORAGE_EXAMPLES));
  storage
    .command('status')
    .description('show repositories and moves of each storage')
    .action(() => showStatus(cli));
  storage
    .command('pause')
    .description('start no more moves from or to a storage; running ones finish')
    .argument('<name>', 'storage')
    .action((name: string) => setPaused(cli, name, true));
  storage
    .command('resume')
    .description('allow moves again, also after the storage was full')
    .argument('<name>', 'storage')
    .action((name: string) => setPaused(cli, name, false));
  storage
    .command('drain')
    .description('move all projects, snippets and groups off a storage')
    .argument('<name>', 'source storage')
    .option('--to <storage>', 'destination storage (default: by weight)')
    .option('--watch', 'wait for completion')
    .action((name: string, options: DrainOptions) => drain(cli, name, options));
};

/** `guildhall moves schedule|list|watch` */
export const registerMoves: RegisterCommand = (program, cli) => {
  const moves = program
    .command('moves')
    .description('move repositories between storages')
    .addHelpText('after', examplesText(MOVE_EXAMPLES));
  moves
    .command('schedule')
    .description('drain a storage')
    .requiredOption('--from <storage>', 'source storage')
    .option('--to <storage>', 'destination storage (default: by weight)')
    .addOption(kindOption())
    .option('--dry-run', 'show what would be moved, without moving')
    .option('--watch', 'wait for completion')
    .action((options: ScheduleOptions) => schedule(cli, options));
  moves
    .command('list')
    .description('show the newest moves')
    .addOption(new Option('--state <state>', 'only moves in this state').choices(MOVE_STATES))
    .addOption(kindOption())
    .option('--limit <count>', 'number of moves', parseLimit, 20)
    .action((options: ListOptions) => listMoves(cli, options));
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
  return new Option('--kind <kind>', 'only this kind (default: all)').choices(MOVE_KINDS);
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LISTED) {
    throw new InvalidArgumentError(`It must be between 1 and ${MAX_LISTED}.`);
  }
  return limit;
}

async function setPaused(cli: Cli, name: string, paused: boolean): Promise<void> {
  await cli.withApp((app) => {
    assertStorage(app, name);
    return app.get(StorageSettings, { strict: false }).update({ name }, { paused }, cli.actor);
  });
  cli.print({ storage: name, paused }, `${name} is ${paused ? 'paused' : 'open'}.`);
}

async function showStatus(cli: Cli): Promise<void> {
  const summaries = await cli.withApp((app) => summariesOf(app));
  cli.print(summaries, summaries.map(describeStorage).join('\n'));
}

function summariesOf(app: INestApplicationContext): Promise<StorageSummaryResponse[]> {
  return app.get(StorageSummaries, { strict: false }).all();
}

function describeStorage(summary: StorageSummaryResponse): string {
  const { project, snippet, group } = summary.containers;
  const state = summary.paused ? 'paused' : (summary.blocked_until && 'full') || 'open';
  return (
    `${summary.name} (weight ${summary.weight}, ${state}): ${project} projects, ` +
    `${snippet} snippets, ${group} groups; in ${countOpen(summary.incoming)}, ` +
    `out ${countOpen(summary.outgoing)}, trash ${summary.repositories_in_trash}`
  );
}

function countOpen(counts: Record<string, number>): number {
  return (counts['scheduled'] ?? 0) + (counts['started'] ?? 0) + (counts['replicated'] ?? 0);
}

async function drain(cli: Cli, name: string, { to, watch }: DrainOptions): Promise<void> {
  await cli.withApp(async (app) => {
    assertRoute(app, { from: name, to });
    const before = (await summariesOf(app)).find((summary) => summary.name === name);
    if (before !== undefined && before.weight > 0) {
      cli.io.stderr(
        `hint: ${name} has weight ${before.weight} and still takes new repositories; ` +
          'name only others in repository_storages_weighted (guildhall settings set)\n',
      );
    }
    const since = await app.get(CliRepository).findTime();
    const batches = await createBatches(cli, app, { kinds: MOVE_KINDS, from: name, to });
    cli.print({ batches }, `Scheduled: everything on ${name}`);
    if (watch !== true) return;
    const failed = await watchMoves(cli, app, since);
    await assertEmpty(app, name);
    assertNoneFailed(failed);
    cli.print({ storage: name, empty: true }, `${name} is empty`);
  });
}

async function assertEmpty(app: INestApplicationContext, name: string): Promise<void> {
  const after = (await summariesOf(app)).find((summary) => summary.name === name);
  const { project = 0, snippet = 0, group = 0 } = after?.containers ?? {};
  const left = project + snippet + group;
  if (left > 0) throw new CliError(`${left} are still on ${name}: see \`guildhall moves list\``);
}

async function schedule(cli: Cli, options: ScheduleOptions): Promise<void> {
  const kinds = options.kind === undefined ? MOVE_KINDS : [options.kind];
  await cli.withApp(async (app) => {
    assertRoute(app, options);
    if (options.dryRun === true) {
      const forecasts = await forecastMoves(app, kinds, options);
      cli.print(forecasts, describeForecasts(forecasts));
      return;
    }
    const since = await app.get(CliRepository).findTime();
    const batches = await createBatches(cli, app, { ...options, kinds });
    cli.print(
      { batches },
      `Scheduled: all ${kinds.map((kind) => `${kind}s`).join(', ')} on ${options.from}`,
    );
    if (options.watch === true) assertNoneFailed(await watchMoves(cli, app, since));
  });
}

/** Schedules a bulk move of each kind; returns their IDs. */
async function createBatches(
  cli: Cli,
  app: INestApplicationContext,
  { kinds, from, to }: Pick<ScheduleOptions, 'from' | 'to'> & { kinds: readonly MoveKind[] },
): Promise<Record<string, number>> {
  const moves = app.get(StorageMovesService, { strict: false });
  const batches: Record<string, number> = {};
  for (const kind of kinds) {
    const request = { kind, source: from, destination: to };
    batches[kind] = await moves.scheduleAll(request, cli.actor);
  }
  return batches;
}

async function forecastMoves(
  app: INestApplicationContext,
  kinds: readonly MoveKind[],
  { from, to }: ScheduleOptions,
): Promise<Record<string, BulkForecast>> {
  const dryRun = app.get(MoveDryRun, { strict: false });
  const forecasts: Record<string, BulkForecast> = {};
  for (const kind of kinds) {
    forecasts[kind] = await dryRun.ofStorage({ kind, source: from, destination: to });
  }
  return forecasts;
}

function describeForecasts(forecasts: Record<string, BulkForecast>): string {
  return Object.entries(forecasts)
    .map(([kind, { containers, busy }]) => `${kind}: ${containers} to move, ${busy} of them busy`)
    .join('\n');
}

async function listMoves(cli: Cli, { state, kind, limit }: ListOptions): Promise<void> {
  const moves = await cli.withApp((app) =>
    app
      .get(MoveStatisticsRepository, { strict: false })
      .listNewest({ states: state && [state], kind, limit }),
  );
  cli.print(moves, moves.length === 0 ? 'No moves.' : moves.map(describeMove).join('\n'));
}
