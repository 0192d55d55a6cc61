import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, jest } from '@jest/globals';
import Bull from 'bull';
import { processJobs } from './durable-worker.service.js';
import { QUEUES } from './queues.js';

const UNREACHABLE = { host: '127.0.0.1', port: 1, maxRetriesPerRequest: null };

it('closes queues that have never reached Redis without an unhandled error', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  try {
    // Connections fail at closing only in the moment of an attempt.
    const closings = Array.from({ length: 60 }, async (_, index) => {
      const queue = new Bull(QUEUES.mails, { redis: UNREACHABLE });
      queue.on('error', () => undefined);
      processJobs(queue, 1, async () => {});
      await delay(index * 5);
      await queue.close();
    });
    await Promise.all(closings);
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});
