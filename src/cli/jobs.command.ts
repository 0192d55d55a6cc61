import type { INestApplicationContext } from '@nestjs/common';
import type { Job, Queue } from 'bull';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { ALL_QUEUES } from '../core/durable-work/job-queue.service.js';
import { QUEUES } from '../core/durable-work/queues.js';
import { answerOfRedis, type Cli, CliError, type RegisterCommand } from './cli.js';

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;
const NAMES = Object.values(QUEUES);
const MAX_LISTED = 1_000;

interface ListJobsOptions {
  queue?: string;
  state?: (typeof STATES)[number];
  limit: number;
}

interface ShownJob {
  queue: string;
  id: string;
  state: string;
  attempts: number;
  created_at: string;
  error: string | null;
  data: unknown;
}

/** `guildhall jobs list|retry|drop` */
export const registerJobs: RegisterCommand = (program, cli) => {
  const jobs = program
    .command('jobs')
    .description('show and change background jobs in Redis; the database keeps what is to be done');
  jobs
    .command('list')
    .description('show jobs, newest first')
    .addOption(new Option('--queue <name>', 'only this queue').choices(NAMES))
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(STATES))
    .option('--limit <count>', 'number of jobs of each queue', parseLimit, 20)
    .action((options: ListJobsOptions) => list(cli, options));
  jobs
    .command('retry')
    .description('run a failed job again')
    .addArgument(new Argument('<queue>', 'queue of the job').choices(NAMES))
    .argument('<id>', 'ID as shown by `jobs list`')
    .action((queue: string, id: string) => change(cli, { queue, id, verb: 'retried' }));
  jobs
    .command('drop')
    .description('remove a job; its work is found again in the database')
    .addArgument(new Argument('<queue>', 'queue of the job').choices(NAMES))
    .argument('<id>', 'ID as shown by `jobs list`')
    .action((queue: string, id: string) => change(cli, { queue, id, verb: 'dropped' }));
};

function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LISTED) return limit;
  throw new InvalidArgumentError(`It must be between 1 and ${MAX_LISTED}.`);
}

function queuesOf({ config }: Cli, app: INestApplicationContext): Queue[] {
  if (config.redis === null) throw new CliError('there are no jobs without Redis');
  return app.get<Queue[]>(ALL_QUEUES, { strict: false });
}

async function list(cli: Cli, { queue: name, state, limit }: ListJobsOptions): Promise<void> {
  const shown = await cli.withApp(async (app) => {
    const queues = queuesOf(cli, app).filter((queue) => name === undefined || queue.name === name);
    const reading = queues.map((queue) => jobsOf(queue, { state, limit }));
    const lists = await answerOfRedis(Promise.all(reading));
    return lists.flat();
  });
  cli.print(shown, shown.map(describeJob).join('\n') || 'No jobs.');
}

async function jobsOf(
  queue: Queue,
  { state, limit }: Pick<ListJobsOptions, 'state' | 'limit'>,
): Promise<ShownJob[]> {
  const states = state === undefined ? [...STATES] : [state];
  const jobs = await queue.getJobs(states, 0, limit - 1);
  // A job that ended since its ID was read is null.
  const existing = jobs.filter((job) => job !== null);
  return Promise.all(existing.map((job) => shownOf(queue, job)));
}

async function shownOf(queue: Queue, job: Job): Promise<ShownJob> {
  return {
    queue: queue.name,
    id: String(job.id),
    state: await job.getState(),
    attempts: job.attemptsMade,
    created_at: new Date(job.timestamp).toISOString(),
    error: job.failedReason ?? null,
    data: job.data as unknown,
  };
}

function describeJob({ queue, id, state, attempts, created_at: at, error }: ShownJob): string {
  const reason = error === null ? '' : `  ${error}`;
  return `${queue}  ${id}  ${state}  ${attempts} attempts  ${at}${reason}`;
}

async function change(
  cli: Cli,
  { queue: name, id, verb }: { queue: string; id: string; verb: 'retried' | 'dropped' },
): Promise<void> {
  await cli.withApp(async (app) => {
    const queue = queuesOf(cli, app).find((one) => one.name === name);
    if (queue === undefined) throw new CliError(`there is no queue ${name}`);
    const job = await answerOfRedis(queue.getJob(id));
    if (job === null) throw new CliError(`there is no job ${id} in ${name}`);
    await answerOfRedis(verb === 'retried' ? job.retry() : job.remove());
    await cli.recordAction(app, {
      action: `job_${verb}`,
      targetType: 'Queue',
      targetId: null,
      targetName: name,
      details: { job: id },
    });
  });
  cli.print({ queue: name, id, [verb]: true }, `Job ${id} of ${name} is ${verb}.`);
}
