import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { RateLimitsModule } from '../core/rate-limits/rate-limits.module.js';
import { GitModule } from '../git/git.module.js';
import { GitAuthentication } from './git-authentication.js';
import { GitGuesses } from './git-guesses.service.js';
import { GitHttpHandler } from './git-http.handler.js';
import { GitServices } from './git-services.js';
import { GitTargetsRepository } from './git-targets.repository.js';
import { GitTargets } from './git-targets.service.js';
import { ReceivePack } from './receive-pack.service.js';
import { RepositoryOpener } from './repository-opener.service.js';
import { UploadPack } from './upload-pack.service.js';

/** Clone, fetch and push over HTTPS; its routes are mounted by `mountGitHttp`. */
@Module({
  imports: [AuthModule, GitModule, RateLimitsModule],
  providers: [
    GitAuthentication,
    GitGuesses,
    GitHttpHandler,
    GitServices,
    GitTargets,
    GitTargetsRepository,
    ReceivePack,
    RepositoryOpener,
    UploadPack,
  ],
  exports: [GitHttpHandler],
})
export class GitHttpModule {}
