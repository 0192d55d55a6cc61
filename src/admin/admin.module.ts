import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { QUEUES } from '../core/queue/queues.js';
import { GitModule } from '../git/git.module.js';
import { InstallationOverview } from './installation-overview.service.js';
import { OverviewController } from './overview.controller.js';

/** The page on which administrators begin; each feature brings its own pages for them. */
@Module({
  imports: [
    GitModule,
    BullModule.registerQueue(
      { name: QUEUES.storageMoves },
      { name: QUEUES.deletions },
      { name: QUEUES.mails },
      { name: QUEUES.alerts },
    ),
  ],
  controllers: [OverviewController],
  providers: [InstallationOverview],
})
export class AdminModule {}
