import { Inject, Injectable } from '@nestjs/common';
import type { Job, JobStatus, Queue } from 'bull';
import { DataSource } from 'typeorm';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { withTimeout } from '../../core/clock.js';
import { ALL_QUEUES } from '../../core/durable-work/job-queue.service.js';
import { ConflictError, NotFoundError, UnavailableError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';

export const JOB_STATES = ['waiting', 'running', 'delayed', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Jobs of a paused queue wait in a list of their own. */
const BULL_STATES: Readonly<Record<JobState, JobStatus[]>> = {
  waiting: ['waiting', 'paused'],
  running: ['active'],
  delayed: ['delayed'],
  failed: ['failed'],
};

export type JobCounts = Record<JobState, number>;

/** A queue; without counts while Redis is not responding. */
export interface ListedQueue {
  name: string;
  counts: JobCounts | null;
  isPaused: boolean;
}

interface FoundJob {
  job: Job;
  state: JobState;
}

/** Bull's commands wait until Redis is back; pages do not. */
const TIMEOUT_MS = 1_000;
const RETRY_AFTER_SECONDS = 5;
/** Failed jobs that one request retries; Bull keeps no more. */
const MAX_RETRIED = 1_000;

/** Reads the jobs of the queues in Redis, and changes them for administrators. */
@Injectable()
export class QueueJobs {
  constructor(
    @Inject(ALL_QUEUES) private readonly queues: Queue[],
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** False for an instance that runs without Redis, whose queues have no jobs. */
  get hasRedis(): boolean {
    return this.config.redis !== null;
  }

  /** Empty without Redis. */
  list(): Promise<ListedQueue[]> {
    return Promise.all(this.hasRedis ? this.queues.map(summaryOf) : []);
  }

  /** Throws NotFoundError for unknown queues. */
  find(name: string): Promise<ListedQueue> {
    return summaryOf(this.queueOf(name));
  }

  /** Returns one page of the jobs in a state, the next to run or the latest to fail first. */
  async page(name: string, state: JobState, paging: Paging): Promise<Page<Job>> {
    const queue = this.queueOf(name);
    const { offset, perPage } = paging;
    const [counts, jobs] = await answered(
      Promise.all([
        countJobs(queue),
        queue.getJobs(BULL_STATES[state], offset, offset + perPage - 1, state !== 'failed'),
      ]),
    );
    const total = counts[state];
    return { items: present(jobs), total, hasNext: offset + perPage < total };
  }

  /** Returns null for a job that has ended or is unknown. */
  async findJob(name: string, id: string): Promise<FoundJob | null> {
    const job = await answered(this.queueOf(name).getJob(id));
    if (job === null) return null;
    const bullState = await answered(job.getState());
    const state = JOB_STATES.find((one) => BULL_STATES[one].includes(bullState as JobStatus));
    return state === undefined ? null : { job, state };
  }

  /** Stops workers from taking jobs of the queue; running ones end. */
  async pause(name: string, actor: AuditActor): Promise<void> {
    const queue = this.changeable(name);
    await this.record(actor, name, { change: 'pause' });
    await answered(queue.pause(false, true));
  }

  async resume(name: string, actor: AuditActor): Promise<void> {
    const queue = this.changeable(name);
    await this.record(actor, name, { change: 'resume' });
    await answered(queue.resume());
  }

  /** Runs a failed job again, or a delayed one at once; throws ConflictError for others. */
  async run(name: string, id: string, actor: AuditActor): Promise<void> {
    const { job, state } = await this.presentJob(name, id);
    if (state !== 'failed' && state !== 'delayed') {
      throw new ConflictError('Only failed and delayed jobs can be retried');
    }
    await this.record(actor, name, { change: 'retry', job_id: id });
    await answered(unlessMoved(state === 'failed' ? job.retry() : job.promote()));
  }

  /** Throws ConflictError for a job that runs. */
  async remove(name: string, id: string, actor: AuditActor): Promise<void> {
    const { job, state } = await this.presentJob(name, id);
    if (state === 'running') throw new ConflictError('Running jobs cannot be removed');
    await this.record(actor, name, { change: 'remove', job_id: id });
    await answered(unlessMoved(job.remove()));
  }

  /** Runs all failed jobs again; returns their number. */
  async retryFailed(name: string, actor: AuditActor): Promise<number> {
    const queue = this.changeable(name);
    const failed = present(await answered(queue.getFailed(0, MAX_RETRIED - 1)));
    await this.record(actor, name, { change: 'retry', count: failed.length });
    // Jobs that someone else retries or removes meanwhile are none of ours.
    const retried = await answered(Promise.allSettled(failed.map((job) => job.retry())));
    return retried.filter(({ status }) => status === 'fulfilled').length;
  }

  /** Removes all failed jobs; returns their number. */
  async removeFailed(name: string, actor: AuditActor): Promise<number> {
    const queue = this.changeable(name);
    await this.record(actor, name, { change: 'remove', state: 'failed' });
    return (await answered(queue.clean(0, 'failed'))).length;
  }

  private async presentJob(name: string, id: string): Promise<FoundJob> {
    const found = await this.findJob(name, id);
    if (found === null) throw new ConflictError('The job is no longer in the queue');
    return found;
  }

  private changeable(name: string): Queue {
    if (!this.hasRedis) throw new ConflictError('Redis is not configured');
    return this.queueOf(name);
  }

  private queueOf(name: string): Queue {
    const queue = this.queues.find((one) => one.name === name);
    if (queue === undefined) throw new NotFoundError('Queue');
    return queue;
  }

  /** Before the change: Redis knows no transactions of the database. */
  private record(actor: AuditActor, queue: string, details: object): Promise<void> {
    return this.audit.record(this.dataSource.manager, actor, {
      action: 'queue_change_requested',
      targetType: 'Queue',
      targetId: null,
      targetName: queue,
      details: { ...details },
    });
  }
}

/** Jobs that end while Bull lists them leave gaps. */
function present(jobs: readonly (Job | null)[]): Job[] {
  return jobs.filter((job) => job !== null);
}

async function summaryOf(queue: Queue): Promise<ListedQueue> {
  const reading = Promise.all([countJobs(queue), queue.isPaused()]);
  const [counts, isPaused] = await answered(reading).catch(() => [null, false] as const);
  return { name: queue.name, counts, isPaused };
}

async function countJobs(queue: Queue): Promise<JobCounts> {
  // Bull also counts paused jobs, which its type leaves out.
  const {
    paused = 0,
    ...counts
  }: Awaited<ReturnType<Queue['getJobCounts']>> & {
    paused?: number;
  } = await queue.getJobCounts();
  const { waiting, active: running, delayed, failed } = counts;
  return { waiting: waiting + paused, running, delayed, failed };
}

/** Throws UnavailableError while Redis is not responding. */
async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await withTimeout(TIMEOUT_MS, work);
  } catch (error) {
    if (error instanceof ConflictError) throw error;
    throw Object.assign(new UnavailableError(RETRY_AFTER_SECONDS), { cause: error });
  }
}

/** Texts of the plain errors that Bull throws for a job whose state has changed meanwhile. */
const MOVED = /^Error: (?:Couldn't retry job|Could not remove job|Job \S+ is not in)/;

async function unlessMoved(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!MOVED.test(String(error))) throw error;
    throw new ConflictError('The job has changed meanwhile');
  }
}
