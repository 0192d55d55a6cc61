import { Module } from '@nestjs/common';
import { AvatarsController, UserAvatarImagesController } from './avatars.controller.js';
import { CurrentUserController, UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';
import { UserDeletionService } from './user-deletion.service.js';
import { UserRepositoriesModule } from './user-repositories.module.js';
import { UserPagesController } from './pages/user-pages.controller.js';
import { UserStatePagesController } from './pages/user-state-pages.controller.js';
import { UserStateService } from './user-state.service.js';
import { UserStatesController } from './user-states.controller.js';

/** Users, the namespaces they own, their endpoints, and the administrators' pages about them. */
@Module({
  imports: [UserRepositoriesModule],
  controllers: [
    AvatarsController,
    CurrentUserController,
    UserAvatarImagesController,
    UsersController,
    UserStatesController,
    UserPagesController,
    UserStatePagesController,
  ],
  providers: [UserDeletionService, UserStateService, UsersService],
  exports: [UserRepositoriesModule, UserDeletionService, UserStateService, UsersService],
})
export class UsersModule {}
