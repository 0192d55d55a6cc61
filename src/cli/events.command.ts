import { EventPruning, type Pruned } from '../events/worker/event-pruning.service.js';
import type { Cli, RegisterCommand } from './cli.js';

/** `guildhall events prune` */
export const registerEvents: RegisterCommand = (program, cli) => {
  program
    .command('events')
    .description('what happened in projects')
    .command('prune')
    .description('remove events that are older than event_retention_days; the worker does so, too')
    .option('--dry-run', 'only tell what would be removed')
    .action((options: { dryRun?: boolean }) => prune(cli, options.dryRun === true));
};

function prune(cli: Cli, isDryRun: boolean): Promise<void> {
  return cli.withApp(async (app) => {
    const pruning = app.get(EventPruning, { strict: false });
    const pruned = isDryRun
      ? await pruning.forecast()
      : await pruning.run({ isStopping: () => false });
    show(cli, pruned, isDryRun);
  });
}

function show(cli: Cli, { before, partitions, events, isComplete }: Pruned, dryRun: boolean): void {
  const result = {
    dry_run: dryRun,
    before: before.toISOString(),
    partitions,
    events,
    complete: isComplete,
  };
  cli.print(result, dryRun ? forecastText(result) : outcomeText(result));
}

interface Told {
  before: string;
  partitions: readonly string[];
  events: number;
  complete: boolean;
}

function forecastText({ before, partitions, events }: Told): string {
  const first = `${events} events before ${before} would be removed`;
  return partitions.length === 0 ? first : `${first}, with ${partitions.join(', ')}`;
}

function outcomeText({ before, partitions, events, complete }: Told): string {
  const lines = [`Removed what was before ${before}: ${events} events`];
  if (partitions.length > 0) lines.push(`Dropped with all in them: ${partitions.join(', ')}`);
  if (!complete) lines.push('The rest is in use: try again, or leave it to the worker');
  return lines.join('\n');
}
