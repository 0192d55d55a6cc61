import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { MembersModule } from '../../identity/members/members.module.js';
import { GroupAccessGuard, GroupPageGuard } from './group-access.guard.js';
import { GroupsController, GroupAvatarsController } from './groups.controller.js';
import { GroupsService } from './groups.service.js';
import { GroupsRepository } from './groups.repository.js';
import { GroupTransferService } from './group-transfer.service.js';
import { GroupUpdateService } from './group-update.service.js';
import { GroupListPagesController } from './pages/group-list-pages.controller.js';
import { GroupSettingsPagesController } from './pages/group-settings-pages.controller.js';
import { NewGroupPagesController } from './pages/new-group-pages.controller.js';
import { NamespacesController } from './namespaces.controller.js';
import { UserRepositoriesModule } from '../../identity/users/user-repositories.module.js';
import { VisibleNamespacesRepository } from './visible-namespaces.repository.js';

/** Groups, the tree they form, and namespaces as clients see them. */
@Module({
  imports: [GitModule, MembersModule, UserRepositoriesModule],
  controllers: [
    GroupAvatarsController,
    GroupsController,
    NamespacesController,
    GroupListPagesController,
    NewGroupPagesController,
    GroupSettingsPagesController,
  ],
  providers: [
    GroupAccessGuard,
    GroupsRepository,
    GroupPageGuard,
    GroupsService,
    GroupTransferService,
    GroupUpdateService,
    VisibleNamespacesRepository,
  ],
  exports: [
    GroupAccessGuard,
    GroupsRepository,
    GroupPageGuard,
    GroupsService,
    GroupTransferService,
    MembersModule,
    UserRepositoriesModule,
    VisibleNamespacesRepository,
  ],
})
export class GroupsModule {}
