import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Queue } from 'bull';
import type { DataSource, EntityManager, EntitySubscriberInterface } from 'typeorm';
import { JobQueue } from './job-queue.service.js';
import { QUEUES } from './queues.js';

const add = jest.fn<(name: string, data: object) => Promise<void>>();
const subscribers: EntitySubscriberInterface[] = [];
let jobs: JobQueue;
beforeEach(() => {
  add.mockReset().mockResolvedValue();
  subscribers.length = 0;
  const queues = [{ name: QUEUES.mails, add }] as unknown as Queue[];
  jobs = new JobQueue(queues, { subscribers } as unknown as DataSource);
});

/** Manager of a transaction, and its end as TypeORM reports it. */
function transaction() {
  const queryRunner = { isTransactionActive: true };
  const manager = { queryRunner } as unknown as EntityManager;
  const ended = (isOutermost: boolean): void => {
    queryRunner.isTransactionActive = !isOutermost;
    jobs.afterTransactionCommit({ queryRunner } as never);
  };
  return { manager, ended };
}

describe('a job queue', () => {
  it('adds a job when the transaction is committed, not with a savepoint', async () => {
    const { manager, ended } = transaction();
    jobs.notifyAfterCommit(manager, QUEUES.mails);
    ended(false);
    expect(add).not.toHaveBeenCalled();
    ended(true);
    await jobs.onModuleDestroy();
    expect(add.mock.calls).toEqual([['send-mails', {}]]);
    ended(true);
    expect(add).toHaveBeenCalledTimes(1);
  });

  it('adds a job at once outside a transaction', () => {
    jobs.notifyAfterCommit({} as EntityManager, QUEUES.mails);
    expect(add).toHaveBeenCalledTimes(1);
  });

  it('adds one more job for all calls that come while Redis takes the first', async () => {
    for (let call = 0; call < 5; call += 1) jobs.notify(QUEUES.mails);
    await jobs.onModuleDestroy();
    expect(add).toHaveBeenCalledTimes(2);
  });

  it('adds jobs again after Redis was away', async () => {
    add.mockRejectedValueOnce(new Error('away'));
    jobs.notify(QUEUES.mails);
    await jobs.onModuleDestroy();
    jobs.notify(QUEUES.mails);
    expect(add).toHaveBeenCalledTimes(2);
  });
});
