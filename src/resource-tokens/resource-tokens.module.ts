import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { JobTokensController } from './job-tokens.controller.js';
import { JobTokensService } from './job-tokens.service.js';
import { ResourceTokenCreation } from './resource-token-creation.service.js';

/** Project and group access tokens with their bots, and job tokens. */
@Module({
  imports: [AuthModule, ProjectsModule],
  controllers: [JobTokensController],
  providers: [JobTokensService, ResourceTokenCreation],
})
export class ResourceTokensModule {}
