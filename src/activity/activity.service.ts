import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { EVENTS_SQL, eventValues } from './event-statement.js';
import type { NewEvent } from './new-event.js';
import type { NewNotice } from './new-notice.js';
import { NOTICES_SQL, noticeValues } from './notice-statement.js';
import { NoticeWakeUp } from './notice-wake-up.js';
import { noticesOf } from './notices-of-events.js';
import { ProjectTouches } from './project-touches.js';

/** Records what people and Git do (API doc, Events), and what they are to be told of by mail. */
@Injectable()
export class Activity {
  private readonly touches = new ProjectTouches();

  constructor(private readonly wakeUp: NoticeWakeUp) {}

  /**
   * Within the transaction of what happened, so that neither is there without the other. The caller
   * holds or has just made the target: events go with their targets by triggers. Notices that go
   * with the events are written as well.
   */
  async record(tx: EntityManager, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const client = await clientOf(tx);
    // Prepared: parsing and planning it each time would take longer than the rest.
    await client.query({ name: 'record-events', text: EVENTS_SQL, values: eventValues(events) });
    await this.notify(tx, noticesOf(events));
    await this.touches.touch(
      tx,
      events.map(({ projectId }) => projectId),
    );
  }

  /** What people are to be told of and is no event; within the transaction of what happened. */
  async notify(tx: EntityManager, notices: readonly NewNotice[]): Promise<void> {
    if (notices.length === 0) return;
    const client = await clientOf(tx);
    const values = noticeValues(notices);
    await client.query({ name: 'record-notices', text: NOTICES_SQL, values });
    this.wakeUp.afterCommit(tx);
  }
}

async function clientOf(tx: EntityManager): Promise<PoolClient> {
  const client = (await tx.queryRunner?.connect()) as PoolClient | undefined;
  if (client === undefined) throw new Error('Not inside a transaction');
  return client;
}
