import { Module } from '@nestjs/common';
import { ALL_QUEUES_PROVIDER, allQueuesModule } from '../core/queue/all-queues.js';
import { GitModule } from '../git/git.module.js';
import { InstallationOverview } from './installation-overview.service.js';
import { MailModule } from '../mail/mail.module.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { Metrics } from './metrics/metrics.service.js';
import { OverviewController } from './overview.controller.js';

/** Where administrators begin, and figures for those who watch; features bring their own pages. */
@Module({
  imports: [GitModule, MailModule, allQueuesModule()],
  controllers: [MetricsController, OverviewController],
  providers: [ALL_QUEUES_PROVIDER, InstallationOverview, Metrics],
})
export class AdminModule {}
