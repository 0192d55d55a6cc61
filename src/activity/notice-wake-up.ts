import { InjectQueue } from '@nestjs/bull';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Queue } from 'bull';
import { DataSource, type EntityManager, type EntitySubscriberInterface } from 'typeorm';
import { QUEUES } from '../core/queue/queues.js';
import { WakeUp } from '../core/queue/wake-up.js';

/** `write-mails`: notices wait for their mails to be written. */
export const NOTICES_JOB = 'write-mails';

const MARK = 'hasNotices';

/** Tells workers of notices as soon as the transaction that wrote them is committed. */
@Injectable()
export class NoticeWakeUp implements EntitySubscriberInterface, OnModuleDestroy {
  private readonly wakeUp: WakeUp;

  constructor(@InjectQueue(QUEUES.notices) queue: Queue, dataSource: DataSource) {
    this.wakeUp = new WakeUp(queue, NOTICES_JOB);
    dataSource.subscribers.push(this);
  }

  /** The transaction has written notices. */
  afterCommit({ queryRunner }: EntityManager): void {
    if (queryRunner !== undefined) queryRunner.data[MARK] = true;
  }

  /** Called by TypeORM for every transaction. */
  afterTransactionCommit({
    queryRunner,
  }: {
    queryRunner: { data: Record<string, unknown> };
  }): void {
    if (queryRunner.data[MARK] !== true) return;
    queryRunner.data[MARK] = false;
    this.wakeUp.now();
  }

  onModuleDestroy(): Promise<void> {
    return this.wakeUp.settle();
  }
}
