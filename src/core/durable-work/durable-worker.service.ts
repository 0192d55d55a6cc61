import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { getQueueToken } from '@nestjs/bull';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Job, Queue } from 'bull';
import { processCounter, processHistogram } from '../metrics/metrics-registry.js';
import { inRootSpan } from '../tracing/tracing.js';
import { ALL_QUEUES } from './job-queue.service.js';
import { PeriodicTask, RunEvery, type IsStopping, type RunEveryOptions } from './periodic-task.js';
import { JOB_NAMES, QUEUES, type QueueName, RetryLaterError } from './queues.js';
import { WorkerHeartbeatsRepository } from './worker-heartbeats.repository.js';

const SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300];
const jobs = processCounter({
  name: 'guildhall_jobs_total',
  help: 'Processed jobs by queue and outcome: completed, failed, retried later',
  labelNames: ['queue', 'outcome'],
});
const jobDurations = processHistogram({
  name: 'guildhall_job_duration_seconds',
  help: 'Durations of jobs by queue',
  labelNames: ['queue'],
  buckets: SECONDS,
});
const taskRuns = processCounter({
  name: 'guildhall_task_runs_total',
  help: 'Runs of periodic tasks by task and outcome: completed or failed',
  labelNames: ['task', 'outcome'],
});
const taskSeconds = processCounter({
  name: 'guildhall_task_seconds_total',
  help: 'Time spent in periodic tasks',
  labelNames: ['task'],
});

function observeJobs(queue: Queue): void {
  const end = ({ processedOn = 0, finishedOn }: Job, outcome: string): void => {
    jobs.inc({ queue: queue.name, outcome });
    const milliseconds = (finishedOn ?? Date.now()) - processedOn;
    jobDurations.observe({ queue: queue.name }, Math.max(0, milliseconds) / 1000);
  };
  queue.on('completed', (job) => end(job, 'completed'));
  queue.on('failed', (job, error) =>
    end(job, error instanceof RetryLaterError ? 'retried' : 'failed'),
  );
}

/** A provider whose work ends together with the tasks, not after the last of them. */
export interface StopsWithTasks {
  stopWithTasks(): Promise<void>;
}

/**
 * Processes the jobs of a queue once Redis is reachable. Bull has no handler for the failure of
 * connections that have never been ready when it closes them.
 */
export function processJobs<Data>(
  queue: Queue<Data>,
  concurrency: number,
  handler: (job: Job<Data>) => Promise<void>,
): void {
  const start = (): void => {
    const attributes = { 'messaging.system': 'bull', 'messaging.destination.name': queue.name };
    const name = JOB_NAMES[queue.name as QueueName];
    const processing = queue.process(name, concurrency, (job: Job<Data>) =>
      inRootSpan(
        `process ${queue.name}`,
        { ...attributes, 'messaging.message.id': String(job.id) },
        () => handler(job),
      ),
    );
    processing.catch((error: unknown) =>
      new Logger('JobQueue').warn(`Jobs of ${queue.name} are not processed: ${String(error)}`),
    );
  };
  if (queue.client.status === 'ready') start();
  else queue.client.once('ready', start);
}

type Work = (isStopping: IsStopping) => Promise<unknown>;

/**
 * Runs every method with `@RunEvery` of a worker process. The root module provides it: Nest then
 * stops the work before anything that the work uses.
 */
@Injectable()
export class DurableWorker
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly tasks: PeriodicTask[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    @Inject(ALL_QUEUES) private readonly queues: readonly Queue[],
  ) {}

  onApplicationBootstrap(): void {
    for (const queue of this.queues) observeJobs(queue);
    for (const wrapper of this.discovery.getProviders()) {
      const instance: unknown = wrapper.instance;
      if (typeof instance !== 'object' || instance === null) continue;
      const prototype = Object.getPrototypeOf(instance) as object | null;
      for (const method of this.scanner.getAllMethodNames(prototype)) {
        const options = this.discovery.getMetadataByDecorator(RunEvery, wrapper, method);
        if (options !== undefined) this.start(instance as Record<string, Work>, method, options);
      }
    }
  }

  /** Ends when all work has. */
  async onModuleDestroy(): Promise<void> {
    const others = this.discovery
      .getProviders()
      .map(({ instance }) => (instance as Partial<StopsWithTasks> | null)?.stopWithTasks?.());
    await Promise.all([...this.tasks.map((task) => task.stop()), ...others]);
  }

  /**
   * Closes all queues in parallel. Each waits half a second for its blocking connection, and Nest
   * would close them one after another.
   */
  beforeApplicationShutdown(): void {
    const tokens = new Set<unknown>(Object.values(QUEUES).map((name) => getQueueToken(name)));
    for (const { token, instance } of this.discovery.getProviders()) {
      if (!tokens.has(token)) continue;
      // The queue's own hook awaits the same closing and reports its failure.
      (instance as Queue).close().catch(() => undefined);
    }
  }

  private start(
    instance: Record<string, Work>,
    method: string,
    { ms, queue, countMessage = method, ...failures }: RunEveryOptions,
  ): void {
    const logger = new Logger(instance.constructor.name);
    const work = async (isStopping: IsStopping): Promise<void> => {
      const count = await measured(`${instance.constructor.name}.${method}`, async () =>
        instance[method]?.(isStopping),
      );
      if (typeof count === 'number' && count > 0) logger.log(`${countMessage}: ${count}`);
    };
    const task = new PeriodicTask(ms, work, { logger, ...failures });
    this.tasks.push(task);
    task.start();
    if (queue !== undefined) this.runOnJobs(queue, task);
  }

  private runOnJobs(name: QueueName, task: PeriodicTask): void {
    const queue = this.queues.find((one) => one.name === name);
    if (queue !== undefined) processJobs(queue, 1, () => task.run());
  }
}

async function measured<T>(task: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    const result = await inRootSpan(task, {}, work);
    taskRuns.inc({ task, outcome: 'completed' });
    return result;
  } catch (error) {
    taskRuns.inc({ task, outcome: 'failed' });
    throw error;
  } finally {
    taskSeconds.inc({ task }, (performance.now() - startedAt) / 1000);
  }
}

/** Records a heartbeat of this worker process. */
@Injectable()
export class WorkerHeartbeatService implements BeforeApplicationShutdown {
  private readonly name = `${hostname()}/${process.pid}/${randomBytes(4).toString('hex')}`;

  constructor(private readonly heartbeats: WorkerHeartbeatsRepository) {}

  @RunEvery({ ms: 15_000, failureMessage: 'The heartbeat failed', level: 'warn' })
  beat(): Promise<void> {
    return this.heartbeats.beat(this.name);
  }

  /** A worker that stops in order does not count as lost; the tasks have ended by now. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.heartbeats.delete({ name: this.name });
  }
}
