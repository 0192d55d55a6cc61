import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { UserRepositoriesModule } from '../users/user-repositories.module.js';
import { GroupAccessTokensController } from './group-access-tokens.controller.js';
import { JobTokensController } from './job-tokens.controller.js';
import { JobTokensService } from './job-tokens.service.js';
import { GroupTokenPagesController } from './pages/group-token-pages.controller.js';
import { ProjectTokenPagesController } from './pages/project-token-pages.controller.js';
import { ResourceTokenPages } from './pages/resource-token-pages.service.js';
import { ProjectAccessTokensController } from './project-access-tokens.controller.js';
import { ResourceTokenCreation } from './resource-token-creation.service.js';
import { ResourceTokensService } from './resource-tokens.service.js';

/** Project and group access tokens with their bots, and job tokens. */
@Module({
  imports: [AuthModule, ProjectsModule, UserRepositoriesModule],
  controllers: [
    ProjectAccessTokensController,
    GroupAccessTokensController,
    JobTokensController,
    ProjectTokenPagesController,
    GroupTokenPagesController,
  ],
  providers: [JobTokensService, ResourceTokenCreation, ResourceTokenPages, ResourceTokensService],
})
export class ResourceTokensModule {}
