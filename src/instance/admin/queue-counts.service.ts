import { Inject, Injectable } from '@nestjs/common';
import type { JobCounts, Queue } from 'bull';
import { ALL_QUEUES } from '../../core/durable-work/job-queue.service.js';

/** The jobs of a queue by state; null while Redis is not responding. */
export interface QueueState {
  name: string;
  counts: JobCounts | null;
}

/** Bull's commands wait until Redis is back; a page does not. */
const REDIS_TIMEOUT_MS = 1_000;

/** Counts the jobs of all queues. */
@Injectable()
export class QueueCounts {
  constructor(@Inject(ALL_QUEUES) private readonly queues: Queue[]) {}

  /** Returns the state of each queue. */
  list(): Promise<QueueState[]> {
    return Promise.all(
      this.queues.map(async (queue) => ({ name: queue.name, counts: await countsOf(queue) })),
    );
  }
}

async function countsOf(queue: Queue): Promise<JobCounts | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, REDIS_TIMEOUT_MS, null);
  });
  const counts = queue.getJobCounts();
  // A failure after the timeout has no listener.
  counts.catch(() => undefined);
  try {
    return await Promise.race([counts, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
