import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { QUEUES } from '../core/queue/queues.js';
import { GitModule } from '../git/git.module.js';
import { DestinationChooser } from './destination-choice.service.js';
import { MoveBatches } from './move-batches.service.js';
import { MoveCancellation } from './move-cancellation.service.js';
import { MoveDryRun } from './move-dry-run.service.js';
import { MoveFinder } from './move-finder.service.js';
import { MoveOverview } from './move-overview.service.js';
import { MoveRequests } from './move-requests.service.js';
import { MoveScheduler } from './move-scheduler.service.js';
import { MoveThroughput } from './move-throughput.service.js';
import { MoveWakeUps } from './move-wake-ups.service.js';
import { StorageSettings } from './storage-settings.service.js';
import { StorageSummaries } from './storage-summary.service.js';

/** Asking for moves and looking at them; shared by the web process, the worker and the CLI. */
@Module({
  imports: [GitModule, BullModule.registerQueue({ name: QUEUES.storageMoves })],
  providers: [
    DestinationChooser,
    MoveBatches,
    MoveCancellation,
    MoveDryRun,
    MoveFinder,
    MoveOverview,
    MoveRequests,
    MoveScheduler,
    MoveThroughput,
    MoveWakeUps,
    StorageSettings,
    StorageSummaries,
  ],
  exports: [GitModule, MoveFinder, MoveRequests, MoveScheduler, StorageSettings, StorageSummaries],
})
export class StorageMovesCoreModule {}
