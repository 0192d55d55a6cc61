import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { UserRepositoriesModule } from '../../identity/users/user-repositories.module.js';
import { ContainerDeletion } from './container-deletion.service.js';
import { ContainerDeletionsRepository } from './container-deletions.repository.js';
import { ProjectDeletionProcessor } from './project-deletion.processor.js';

/** Background work on projects and groups: their deletion. */
@Module({
  imports: [GitModule, UserRepositoriesModule],
  providers: [ContainerDeletion, ContainerDeletionsRepository, ProjectDeletionProcessor],
})
export class ProjectsWorkerModule {}
