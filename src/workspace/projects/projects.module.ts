import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import {
  GroupAccessRequestsController,
  ProjectAccessRequestsController,
} from './access-requests.controller.js';
import { ContainerDeletionsRepository } from './container-deletions.repository.js';
import { ProjectOverviewSections } from './pages/project-frame.js';
import { ProjectAccessGuard, ProjectPageGuard } from './project-access.guard.js';
import { ProjectRepositories, ProjectStorageChoice } from './project-repositories.service.js';
import { ProjectUpdateService } from './project-update.service.js';
import { GroupOverviewPagesController } from './pages/group-overview-pages.controller.js';
import { ContainerPageGuard } from './pages/container-page.guard.js';
import { MemberPagesController } from './pages/member-pages.controller.js';
import { NewProjectPagesController } from './pages/new-project-pages.controller.js';
import { ProjectListPagesController } from './pages/project-list-pages.controller.js';
import { ProjectOverviewPagesController } from './pages/project-overview-pages.controller.js';
import { ProjectSettingsPagesController } from './pages/project-settings-pages.controller.js';
import { SavedViewPagesController } from './pages/saved-view-pages.controller.js';
import { TransferPagesController } from './pages/transfer-pages.controller.js';
import { ProjectsController, ProjectAvatarsController } from './projects.controller.js';
import { ProjectListsController } from './project-lists.controller.js';
import { GroupMembersController, ProjectMembersController } from './members.controller.js';
import { ProjectTransferService } from './project-transfer.service.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectDeletionService, ProjectsService } from './projects.service.js';

/** Projects and the guard by which other features open theirs. */
@Module({
  imports: [GitModule, GroupsModule],
  controllers: [
    ProjectListsController,
    ProjectAvatarsController,
    ProjectsController,
    ProjectMembersController,
    GroupMembersController,
    ProjectAccessRequestsController,
    GroupAccessRequestsController,
    ProjectListPagesController,
    NewProjectPagesController,
    GroupOverviewPagesController,
    ProjectOverviewPagesController,
    MemberPagesController,
    TransferPagesController,
    ProjectSettingsPagesController,
    SavedViewPagesController,
  ],
  providers: [
    ContainerDeletionsRepository,
    ContainerPageGuard,
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
    ContainerPageGuard,
    GroupsModule,
    ProjectAccessGuard,
    ProjectsService,
    ProjectOverviewSections,
    ProjectPageGuard,
    ProjectsRepository,
  ],
})
export class ProjectsModule {}
