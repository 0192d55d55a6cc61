import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { MailModule } from '../../core/mail/mail.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { AdminStatsRepository } from './admin-stats.repository.js';
import { EmailPreviewsController } from './email-previews.controller.js';
import { ContainerPagesController } from './container-pages.controller.js';
import { InstanceMetrics } from './instance-metrics.service.js';
import { MetricsController } from './metrics.controller.js';
import { OverviewController } from './overview.controller.js';
import { WorkQueuesRepository } from './work-queues.repository.js';

/** Overview for administrators, and metrics; features have their own administration pages. */
@Module({
  imports: [GitModule, MailModule, ProjectsModule],
  controllers: [
    ContainerPagesController,
    EmailPreviewsController,
    MetricsController,
    OverviewController,
  ],
  providers: [AdminStatsRepository, InstanceMetrics, WorkQueuesRepository],
})
export class AdminModule {}
