import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { ContainerDeletionsRepository } from './container-deletions.repository.js';
import { ProjectUpdateService } from './project-update.service.js';
import { GroupOverviewPagesController } from './pages/group-overview-pages.controller.js';
import { NewProjectPagesController } from './pages/new-project-pages.controller.js';
import { ProjectListPagesController } from './pages/project-list-pages.controller.js';
import { ProjectMemberPagesController } from './pages/project-member-pages.controller.js';
import { ProjectOverviewSections } from './pages/project-overview-sections.service.js';
import { ProjectOverviewPagesController } from './pages/project-overview-pages.controller.js';
import { ProjectPageGuard } from './pages/project-page.guard.js';
import { ProjectSettingsPagesController } from './pages/project-settings-pages.controller.js';
import { ProjectAccessGuard } from './project-access.guard.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectAvatarsController } from './project-avatars.controller.js';
import { ProjectsService } from './projects.service.js';
import { ProjectListsController } from './project-lists.controller.js';
import { ProjectMembersController } from './project-members.controller.js';
import { ProjectRepositories } from './project-repositories.service.js';
import { ProjectStorageChoice } from './project-storage-choice.service.js';
import { ProjectDeletionService } from './project-deletion.service.js';
import { ProjectTransferService } from './project-transfer.service.js';
import { ProjectsRepository } from './projects.repository.js';

/** Projects and the guard by which other features open theirs. */
@Module({
  imports: [GitModule, GroupsModule],
  controllers: [
    ProjectListsController,
    ProjectAvatarsController,
    ProjectsController,
    ProjectMembersController,
    ProjectListPagesController,
    NewProjectPagesController,
    GroupOverviewPagesController,
    ProjectOverviewPagesController,
    ProjectMemberPagesController,
    ProjectSettingsPagesController,
  ],
  providers: [
    ContainerDeletionsRepository,
    ProjectAccessGuard,
    ProjectDeletionService,
    ProjectOverviewSections,
    ProjectPageGuard,
    ProjectsService,
    ProjectRepositories,
    ProjectStorageChoice,
    ProjectTransferService,
    ProjectUpdateService,
    ProjectsRepository,
  ],
  exports: [
    GroupsModule,
    ProjectAccessGuard,
    ProjectsService,
    ProjectOverviewSections,
    ProjectPageGuard,
    ProjectsRepository,
  ],
})
export class ProjectsModule {}
