import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { UserRepositoriesModule } from '../../identity/users/user-repositories.module.js';
import { ContainerDeletionProcessor } from './container-deletion.processor.js';
import { ContainerDeletionsRepository } from './container-deletions.repository.js';

/** Background work on projects and groups: their deletion. */
@Module({
  imports: [GitModule, UserRepositoriesModule],
  providers: [ContainerDeletionProcessor, ContainerDeletionsRepository, ContainerDeletionProcessor],
})
export class ProjectsWorkerModule {}
