import { Global, Module } from '@nestjs/common';
import { GroupsModule } from '../workspace/groups/groups.module.js';
import { ProjectsModule } from '../workspace/projects/projects.module.js';
import { RepositoryMover } from '../workspace/projects/project-storage-choice.service.js';
import { ContainerFinder } from './container-finder.service.js';
import { GroupStorageMovesController } from './group-storage-moves.controller.js';
import { MoveEndpoints } from './move-endpoints.service.js';
import { ProjectRepositoryMover } from './storage-moves.service.js';
import { ProjectStorageMovesController } from './project-storage-moves.controller.js';
import { SnippetStorageMovesController } from './snippet-storage-moves.controller.js';
import { StorageMovesCoreModule } from './storage-moves-core.module.js';
import { StoragesController } from './storages.controller.js';

/** Endpoints of storage moves. Global for RepositoryMover, which projects/ uses. */
@Global()
@Module({
  imports: [GroupsModule, ProjectsModule, StorageMovesCoreModule],
  controllers: [
    ProjectStorageMovesController,
    SnippetStorageMovesController,
    GroupStorageMovesController,
    StoragesController,
  ],
  providers: [
    ContainerFinder,
    MoveEndpoints,
    { provide: RepositoryMover, useClass: ProjectRepositoryMover },
  ],
  exports: [ContainerFinder, RepositoryMover],
})
export class StorageMovesModule {}
