import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EVENTS_SQL, eventValues } from './event-statement.js';
import type { NewEvent } from './new-event.js';

/** Records what people and Git do (API doc, Events). */
@Injectable()
export class Activity {
  /**
   * Within the transaction of what happened, so that neither is there without the other. The caller
   * holds or has just made the target: events go with their targets by triggers.
   */
  async record(tx: EntityManager, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    await tx.query(EVENTS_SQL, eventValues(events));
  }
}
