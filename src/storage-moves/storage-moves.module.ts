import { Global, Module } from '@nestjs/common';
import { GroupsModule } from '../workspace/groups/groups.module.js';
import { RepositoryMover } from '../workspace/projects/project-repositories.service.js';
import { ProjectsModule } from '../workspace/projects/projects.module.js';
import { MoveContainersService } from './move-containers.service.js';
import { ProjectRepositoryMover } from './storage-moves.service.js';
import { StorageMovesController, StoragesController } from './storage-moves.controller.js';
import { StorageMovesCoreModule } from './storage-moves-core.module.js';
import { MovePagesController } from './pages/move-pages.controller.js';
import { SchedulePagesController } from './pages/schedule-pages.controller.js';
import { StoragePagesController } from './pages/storage-pages.controller.js';

/** Endpoints and pages of storage moves. Global for RepositoryMover, which projects/ uses. */
@Global()
@Module({
  imports: [GroupsModule, ProjectsModule, StorageMovesCoreModule],
  controllers: [
    StorageMovesController,
    StoragesController,
    MovePagesController,
    SchedulePagesController,
    StoragePagesController,
  ],
  providers: [
    MoveContainersService,
    { provide: RepositoryMover, useClass: ProjectRepositoryMover },
  ],
  exports: [MoveContainersService, RepositoryMover],
})
export class StorageMovesModule {}
