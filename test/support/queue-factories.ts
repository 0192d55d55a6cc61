import { getQueueToken } from '@nestjs/bull';
import type { Job, JobOptions, Queue } from 'bull';
import { JOB_NAMES, type QueueName } from '../../src/core/durable-work/queues.js';
import type { TestApp } from './app.js';

/** The queue as the app has it. */
export function queueOf({ app }: Pick<TestApp, 'app'>, name: QueueName): Queue {
  return app.get<Queue>(getQueueToken(name), { strict: false });
}

/** A job that waits, and is the next to run. */
export function makeJob(
  app: Pick<TestApp, 'app'>,
  name: QueueName,
  options: JobOptions = {},
): Promise<Job> {
  const data = { kind: 'project', id: 7 };
  return queueOf(app, name).add(JOB_NAMES[name], data, { lifo: true, ...options });
}

/** A job that no worker ends. */
export async function makeRunningJob(app: Pick<TestApp, 'app'>, name: QueueName): Promise<Job> {
  const { id } = await makeJob(app, name, { attempts: 1 });
  const running = await queueOf(app, name).getNextJob();
  if (running?.id !== id) throw new Error(`job ${id} does not run`);
  return running as Job;
}

/** A job without further attempts. */
export async function makeFailedJob(
  app: Pick<TestApp, 'app'>,
  name: QueueName,
  error: Error,
): Promise<Job> {
  const job = await makeRunningJob(app, name);
  await job.moveToFailed(error);
  return job;
}
