import { Module } from '@nestjs/common';
import { StorageMovesCoreModule } from '../storage-moves-core.module.js';
import { StorageMovesModule } from '../storage-moves.module.js';
import { MoveListPagesController } from './move-list-pages.controller.js';
import { MovePagesController } from './move-pages.controller.js';
import { SchedulePagesController } from './schedule-pages.controller.js';
import { StoragePagesController } from './storage-pages.controller.js';

/** The administrators' pages about storages and moves. */
@Module({
  imports: [StorageMovesCoreModule, StorageMovesModule],
  controllers: [
    MoveListPagesController,
    SchedulePagesController,
    MovePagesController,
    StoragePagesController,
  ],
})
export class StorageMovePagesModule {}
