import { Module } from '@nestjs/common';
import { GitModule } from '../git/git.module.js';
import { MoveDryRun } from './move-dry-run.service.js';
import { MoveStatisticsRepository } from './move-statistics.repository.js';
import { StorageMoveBatchesRepository } from './storage-move-batches.repository.js';
import { StorageMovesRepository } from './storage-moves.repository.js';
import { StorageMovesService } from './storage-moves.service.js';
import { StorageSettingsRepository } from './storage-settings.repository.js';
import { StorageSettings } from './storage-settings.service.js';
import { StorageSummaries } from './storage-summary.service.js';

const SERVICES = [
  MoveDryRun,
  MoveStatisticsRepository,
  StorageMoveBatchesRepository,
  StorageMovesRepository,
  StorageMovesService,
  StorageSettings,
  StorageSettingsRepository,
  StorageSummaries,
];

/** Requests for moves and reports about them; shared by the web process, the worker and the CLI. */
@Module({
  imports: [GitModule],
  providers: SERVICES,
  exports: [...SERVICES, GitModule],
})
export class StorageMovesCoreModule {}
