import { InjectQueue } from '@nestjs/bull';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Queue } from 'bull';
import { QUEUES } from '../core/queue/queues.js';
import { WakeUp } from '../core/queue/wake-up.js';

/** Name of the job that tells a worker to look at `alert_reactions`. */
export const ALERT_REACTIONS_JOB = 'alert-reactions';

/** Tells the workers that something is to be done about alerts. */
@Injectable()
export class AlertHints implements OnModuleDestroy {
  private readonly wakeUp: WakeUp;

  constructor(@InjectQueue(QUEUES.alerts) queue: Queue) {
    this.wakeUp = new WakeUp(queue, ALERT_REACTIONS_JOB);
  }

  /** Call it after the commit; not awaited. */
  wake(): void {
    this.wakeUp.now();
  }

  onModuleDestroy(): Promise<void> {
    return this.wakeUp.settle();
  }
}
