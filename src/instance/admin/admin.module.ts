import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { MailModule } from '../../core/mail/mail.module.js';
import { AdminStatsRepository } from './admin-stats.repository.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { Metrics } from './metrics/metrics.service.js';
import { OverviewController } from './overview.controller.js';
import { QueueCounts } from './queue-counts.service.js';

/** Where administrators begin, and figures for those who watch; features bring their own pages. */
@Module({
  imports: [GitModule, MailModule],
  controllers: [MetricsController, OverviewController],
  providers: [AdminStatsRepository, Metrics, QueueCounts],
})
export class AdminModule {}
