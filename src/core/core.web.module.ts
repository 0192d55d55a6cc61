import { Module } from '@nestjs/common';
import { HealthController, ReadinessService } from './health/health.controller.js';
import {
  FailedMails,
  FailedMailPagesController,
} from './mail/pages/failed-mail-pages.controller.js';
import { MailModule } from './mail/mail.module.js';
import { ApiDescription, OpenApiController } from './openapi/openapi.controller.js';
import {
  ApiReference,
  ReferencePagesController,
} from './openapi/reference/reference-pages.controller.js';
import { RecentWrites } from './sql/replica/recent-writes.service.js';
import { Replica } from './sql/replica/replica.service.js';
import { ReplicaReads } from './sql/replica/replica-reads.interceptor.js';
import { UiModule } from './ui/ui.module.js';
import { VersionController } from './version/version.controller.js';

/** Endpoints of the server itself: health, version, API description, email delivery. */
@Module({
  imports: [MailModule, UiModule],
  controllers: [
    FailedMailPagesController,
    HealthController,
    OpenApiController,
    ReferencePagesController,
    VersionController,
  ],
  providers: [
    ApiDescription,
    ApiReference,
    FailedMails,
    ReadinessService,
    RecentWrites,
    Replica,
    ReplicaReads,
  ],
})
export class CoreWebModule {}
