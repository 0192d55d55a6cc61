import { Module } from '@nestjs/common';
import { AuthModule } from '../../identity/auth/auth.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { UserRepositoriesModule } from '../../identity/users/user-repositories.module.js';
import {
  GroupAccessTokensController,
  ProjectAccessTokensController,
} from './resource-tokens.controller.js';
import { JobTokensController } from './job-tokens.controller.js';
import { JobTokensService } from './job-tokens.service.js';
import { ResourceTokenPagesController } from './pages/resource-token-pages.controller.js';
import { ResourceTokenPages } from './pages/resource-token-pages.service.js';
import { ResourceTokenCreation, ResourceTokensService } from './resource-tokens.service.js';

/** Project and group access tokens with their bots, and job tokens. */
@Module({
  imports: [AuthModule, ProjectsModule, UserRepositoriesModule],
  controllers: [
    ProjectAccessTokensController,
    GroupAccessTokensController,
    JobTokensController,
    ResourceTokenPagesController,
  ],
  providers: [JobTokensService, ResourceTokenCreation, ResourceTokenPages, ResourceTokensService],
})
export class ResourceTokensModule {}
