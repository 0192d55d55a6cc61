import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { UserRepositoriesModule } from '../../users/user-repositories.module.js';
import { ApplicationLookup } from '../application-lookup.service.js';
import { ApplicationsController } from './applications.controller.js';
import { OAuthAccessGrantsRepository } from '../oauth-access-grants.repository.js';
import { OAuthApplicationsRepository } from '../oauth-applications.repository.js';
import { OAuthTokensRepository } from '../oauth-tokens.repository.js';
import { ApplicationsService } from './applications.service.js';
import { AuthorizedApplications } from './authorized-applications.service.js';
import { AdminApplicationsController } from './pages/admin-applications.controller.js';
import { ApplicationPages } from './pages/application-pages.service.js';
import { AuthorizedApplicationsController } from './pages/authorized-applications.controller.js';
import { OwnApplicationsController } from './pages/own-applications.controller.js';

/** Applications that sign people in here: registering them, and what people let them do. */
@Module({
  imports: [AuthModule, UserRepositoriesModule],
  controllers: [
    AdminApplicationsController,
    ApplicationsController,
    AuthorizedApplicationsController,
    OwnApplicationsController,
  ],
  providers: [
    ApplicationLookup,
    ApplicationPages,
    ApplicationsService,
    AuthorizedApplications,
    OAuthAccessGrantsRepository,
    OAuthApplicationsRepository,
    OAuthTokensRepository,
  ],
  exports: [
    ApplicationLookup,
    OAuthAccessGrantsRepository,
    OAuthApplicationsRepository,
    OAuthTokensRepository,
  ],
})
export class ApplicationsModule {}
