import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { QUEUES } from '../core/queue/queues.js';
import { GitModule } from '../git/git.module.js';
import { DestinationChooser } from './destination-choice.service.js';
import { MoveBatches } from './move-batches.service.js';
import { MoveCancellation } from './move-cancellation.service.js';
import { MoveDryRun } from './move-dry-run.service.js';
import { MoveRequests } from './move-requests.service.js';
import { MoveScheduler } from './move-scheduler.service.js';
import { MoveStatisticsRepository } from './move-statistics.repository.js';
import { MoveWakeUps } from './move-wake-ups.service.js';
import { StorageMoveBatchesRepository } from './storage-move-batches.repository.js';
import { StorageMovesRepository } from './storage-moves.repository.js';
import { StorageSettingsRepository } from './storage-settings.repository.js';
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
    MoveRequests,
    MoveScheduler,
    MoveStatisticsRepository,
    MoveWakeUps,
    StorageMoveBatchesRepository,
    StorageMovesRepository,
    StorageSettings,
    StorageSettingsRepository,
    StorageSummaries,
  ],
  exports: [
    GitModule,
    MoveRequests,
    MoveScheduler,
    MoveStatisticsRepository,
    StorageMoveBatchesRepository,
    StorageMovesRepository,
    StorageSettings,
    StorageSettingsRepository,
    StorageSummaries,
  ],
})
export class StorageMovesCoreModule {}
