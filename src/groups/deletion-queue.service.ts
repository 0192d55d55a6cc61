import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { QUEUES, type DeleteContainerJob } from '../core/queue/queues.js';

/** Tells the worker that a container is marked for deletion; the mark itself is the truth. */
@Injectable()
export class DeletionQueue {
  private readonly logger = new Logger(DeletionQueue.name);

  constructor(@InjectQueue(QUEUES.deletions) private readonly queue: Queue<DeleteContainerJob>) {}

  /** Not awaited by requests: while Redis is away nothing is lost, the worker looks for marks. */
  wake(job: DeleteContainerJob): void {
    this.queue.add('delete-container', job).catch((error: unknown) => {
      this.logger.warn(`Deletion of ${job.kind} ${job.id} waits for the sweep: ${String(error)}`);
    });
  }
}
