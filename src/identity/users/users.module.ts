import { Module } from '@nestjs/common';
import { AvatarsController, UserAvatarImagesController } from './avatars.controller.js';
import { CurrentUserController } from './current-user.controller.js';
import { UserCreationService } from './user-creation.service.js';
import { UserDeletionService } from './user-deletion.service.js';
import { UserRepositoriesModule } from './user-repositories.module.js';
import { UserPagesController } from './pages/user-pages.controller.js';
import { UserStatePagesController } from './pages/user-state-pages.controller.js';
import { UserStateService } from './user-state.service.js';
import { UserStatesController } from './user-states.controller.js';
import { UserUpdateService } from './user-update.service.js';
import { UsersAdminController } from './users-admin.controller.js';
import { UsersController } from './users.controller.js';

/** Users, the namespaces they own, their endpoints, and the administrators' pages about them. */
@Module({
  imports: [UserRepositoriesModule],
  controllers: [
    AvatarsController,
    CurrentUserController,
    UserAvatarImagesController,
    UsersController,
    UsersAdminController,
    UserStatesController,
    UserPagesController,
    UserStatePagesController,
  ],
  providers: [UserCreationService, UserDeletionService, UserStateService, UserUpdateService],
  exports: [
    UserRepositoriesModule,
    UserCreationService,
    UserDeletionService,
    UserStateService,
    UserUpdateService,
  ],
})
export class UsersModule {}
