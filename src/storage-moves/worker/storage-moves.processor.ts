import { Process, Processor } from '@nestjs/bull';
import { QUEUES } from '../../core/durable-work/queues.js';
import { MOVE_JOB } from '../move-wake-ups.service.js';
import { MoveWorker } from './move-worker.service.js';

/** Jobs only wake the worker up; which moves it takes, the table decides. */
@Processor(QUEUES.storageMoves)
export class StorageMovesProcessor {
  constructor(private readonly worker: MoveWorker) {}

  @Process(MOVE_JOB)
  wake(): void {
    this.worker.wake();
  }
}
