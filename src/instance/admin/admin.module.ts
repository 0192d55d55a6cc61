import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { MailModule } from '../../core/mail/mail.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { AdminStatsRepository } from './admin-stats.repository.js';
import { EmailPreviewPagesController } from './email-preview-pages.controller.js';
import { ContainerPagesController } from './container-pages.controller.js';
import { InstanceMetrics } from './instance-metrics.service.js';
import { MetricsController } from './metrics.controller.js';
import { OverviewPagesController } from './overview-pages.controller.js';
import { WorkQueuesRepository } from './work-queues.repository.js';

/** Overview for administrators, and metrics; features have their own administration pages. */
@Module({
  imports: [GitModule, MailModule, ProjectsModule],
  controllers: [
    ContainerPagesController,
    EmailPreviewPagesController,
    MetricsController,
    OverviewPagesController,
  ],
  providers: [AdminStatsRepository, InstanceMetrics, WorkQueuesRepository],
})
export class AdminModule {}
