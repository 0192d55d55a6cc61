import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { EVENTS_SQL, eventValues } from './event-statement.js';
import type { NewEvent } from './new-event.js';
import { ProjectTouches } from './project-touches.js';

/** Records what people and Git do (API doc, Events). */
@Injectable()
export class Activity {
  private readonly touches = new ProjectTouches();

  /**
   * Within the transaction of what happened, so that neither is there without the other. The caller
   * holds or has just made the target: events go with their targets by triggers.
   */
  async record(tx: EntityManager, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    // Prepared: parsing and planning it each time would take longer than the rest.
    const client = (await tx.queryRunner?.connect()) as PoolClient | undefined;
    if (client === undefined) throw new Error('Not inside a transaction');
    await client.query({ name: 'record-events', text: EVENTS_SQL, values: eventValues(events) });
    await this.touches.touch(
      tx,
      events.map(({ projectId }) => projectId),
    );
  }
}
