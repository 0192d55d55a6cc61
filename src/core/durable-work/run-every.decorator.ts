import { DiscoveryService } from '@nestjs/core';
import type { TaskFailures } from './periodic-task.js';
import type { QueueName } from './queues.js';

/** Schedule of a method, and its log messages. */
export interface RunEveryOptions extends Omit<TaskFailures, 'logger'> {
  ms: number;
  /** Jobs of this queue run the method between the intervals. */
  queue?: QueueName;
  /** Logged with the number that the method returns, unless it is 0. */
  countMessage?: string;
}

/**
 * Makes the worker process run a method when it starts and again after each interval, never twice at
 * a time. The method gets IsStopping; what it throws is logged, and the next run comes as usual.
 */
export const RunEvery = DiscoveryService.createDecorator<RunEveryOptions>();
