import { Module } from '@nestjs/common';
import { StorageMovesCoreModule } from './storage-moves-core.module.js';
import { ActiveMoves } from './worker/active-moves.service.js';
import { BulkMoveScheduler } from './worker/bulk-move-scheduler.service.js';
import { MoveDispatcher } from './worker/move-dispatcher.service.js';
import { MoveJanitor } from './worker/move-janitor.service.js';
import { MoveLeasesRepository } from './worker/move-leases.repository.js';
import { MoveLeases } from './worker/move-leases.service.js';
import { MoveOutcomesRepository } from './worker/move-outcomes.repository.js';
import { RepositoryMove } from './worker/repository-move.service.js';
import { StorageMovesProcessor } from './worker/storage-moves.processor.js';
import { WorkerIdentity } from './worker/worker-identity.js';

/** Runs moves, schedules those of bulk requests, and cleans up after both. */
@Module({
  imports: [StorageMovesCoreModule],
  providers: [
    ActiveMoves,
    BulkMoveScheduler,
    MoveDispatcher,
    MoveJanitor,
    MoveLeases,
    MoveLeasesRepository,
    MoveOutcomesRepository,
    RepositoryMove,
    StorageMovesProcessor,
    WorkerIdentity,
  ],
})
export class StorageMovesWorkerModule {}
