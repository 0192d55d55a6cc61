import { Module } from '@nestjs/common';
import { AuthModule } from '../../identity/auth/auth.module.js';
import { RateLimitsModule } from '../../core/rate-limits/rate-limits.module.js';
import { GitModule } from '../../git/git.module.js';
import { GitAuthentication } from './git-authentication.service.js';
import { GitHttpController } from './git-http.controller.js';
import { GitTargetsRepository } from './git-targets.repository.js';
import { GitTargets } from './git-targets.service.js';
import { ReceivePack } from './receive-pack.service.js';
import { RepositoryOpener } from './repository-opener.service.js';
import { UploadPack } from './upload-pack.service.js';

/** Clone, fetch and push over HTTPS. */
@Module({
  imports: [AuthModule, GitModule, RateLimitsModule],
  controllers: [GitHttpController],
  providers: [
    GitAuthentication,
    GitTargets,
    GitTargetsRepository,
    ReceivePack,
    RepositoryOpener,
    UploadPack,
  ],
})
export class GitHttpModule {}
