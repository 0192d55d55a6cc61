import { Module } from '@nestjs/common';
import { StorageMovesCoreModule } from './storage-moves-core.module.js';
import { ActiveMoves, StorageThrottles } from './worker/active-moves.service.js';
import { BulkMoveScheduler } from './worker/bulk-move-scheduler.service.js';
import { CleanUpRetries } from './worker/clean-up-retries.service.js';
import { MoveCheckpoints } from './engine/failpoints.js';
import { MoveCleanUp } from './worker/move-clean-up.service.js';
import { MoveCopy } from './worker/move-copy.service.js';
import { MoveDrain } from './worker/move-drain.service.js';
import { MoveExecution } from './worker/move-execution.service.js';
import { MoveFailures } from './worker/move-failures.service.js';
import { MoveJanitor } from './worker/move-janitor.service.js';
import { MoveLeasesRepository } from './worker/move-leases.repository.js';
import { MoveLeases } from './worker/move-leases.service.js';
import { MoveOutcomesRepository } from './worker/move-outcomes.repository.js';
import { MovePreparation } from './worker/move-preparation.service.js';
import { MoveRunner } from './worker/move-runner.service.js';
import { MoveSweeper } from './worker/move-sweeper.service.js';
import { MoveTransfer } from './worker/move-transfer.service.js';
import { MoveWorker } from './worker/move-worker.service.js';
import { FullStorageGuard } from './worker/full-storage-guard.service.js';
import { StorageMovesProcessor } from './worker/storage-moves.processor.js';
import { TemporarySweep } from './worker/temporary-sweep.service.js';
import { TrashCollection } from './worker/trash-collection.service.js';
import { WorkerIdentity } from './worker/worker-identity.js';

/** Runs moves, feeds bulk requests, and cleans up after both. */
@Module({
  imports: [StorageMovesCoreModule],
  providers: [
    ActiveMoves,
    BulkMoveScheduler,
    CleanUpRetries,
    MoveCheckpoints,
    MoveCleanUp,
    MoveCopy,
    MoveDrain,
    MoveExecution,
    MoveFailures,
    MoveJanitor,
    MoveLeases,
    MoveLeasesRepository,
    MoveOutcomesRepository,
    MovePreparation,
    MoveRunner,
    MoveSweeper,
    MoveTransfer,
    MoveWorker,
    FullStorageGuard,
    StorageMovesProcessor,
    StorageThrottles,
    TemporarySweep,
    TrashCollection,
    WorkerIdentity,
  ],
})
export class StorageMovesWorkerModule {}
