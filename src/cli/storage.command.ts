import type { INestApplicationContext } from '@nestjs/common';
import { SYSTEM_ACTOR } from '../core/audit/audit.service.js';
import { MOVE_KINDS } from '../storage-moves/move-kinds.js';
import { MoveBatches } from '../storage-moves/move-batches.service.js';
import {
  type StorageSummaryResponse,
  StorageSummaries,
} from '../storage-moves/storage-summary.service.js';
import { type Cli, CliError, type RegisterCommand } from './cli.js';
import { CliRepository } from './cli.repository.js';
import { assertNoneFailed, watchMoves } from './moves-watch.js';

interface DrainOptions {
  to?: string;
  watch?: boolean;
}

/** `guildhall storage status|drain` */
export const registerStorage: RegisterCommand = (program, cli) => {
  const storage = program.command('storage').description('look at storages and empty them');
  storage
    .command('status')
    .description('show what lies on each storage and what moves there')
    .action(() => status(cli));
  storage
    .command('drain')
    .description('move all projects, snippets and groups off a storage')
    .argument('<name>', 'the storage')
    .option('--to <storage>', 'where to (default: drawn by weight)')
    .option('--watch', 'wait until it is empty')
    .action((name: string, options: DrainOptions) => drain(cli, name, options));
};

async function status(cli: Cli): Promise<void> {
  const summaries = await cli.withApp((app) => summariesOf(app));
  cli.print(summaries, summaries.map(describe).join('\n'));
}

function summariesOf(app: INestApplicationContext): Promise<StorageSummaryResponse[]> {
  return app.get(StorageSummaries, { strict: false }).all();
}

function describe(summary: StorageSummaryResponse): string {
  const { project, snippet, group } = summary.containers;
  const state = summary.paused ? 'paused' : (summary.blocked_until && 'full') || 'open';
  return (
    `${summary.name} (weight ${summary.weight}, ${state}): ${project} projects, ` +
    `${snippet} snippets, ${group} groups; in ${open(summary.incoming)}, ` +
    `out ${open(summary.outgoing)}, trash ${summary.repositories_in_trash}`
  );
}

function open(counts: Record<string, number>): number {
  return (counts['scheduled'] ?? 0) + (counts['started'] ?? 0) + (counts['replicated'] ?? 0);
}

async function drain(cli: Cli, name: string, { to, watch }: DrainOptions): Promise<void> {
  await cli.withApp(async (app) => {
    const before = (await summariesOf(app)).find((summary) => summary.name === name);
    if (before === undefined) throw new CliError(`there is no storage ${name}`);
    if (before.weight > 0) {
      cli.io.stderr(
        `hint: ${name} has weight ${before.weight} and still takes new repositories; ` +
          'name only others in repository_storages_weighted (guildhall settings set)\n',
      );
    }
    const since = await app.get(CliRepository).findTime();
    const moveBatches = app.get(MoveBatches, { strict: false });
    const batches: Record<string, number> = {};
    for (const kind of MOVE_KINDS) {
      const wish = { kind, source: name, destination: to };
      batches[kind] = await moveBatches.create(wish, SYSTEM_ACTOR);
    }
    cli.print({ batches }, `Everything on ${name} is going to be moved`);
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
