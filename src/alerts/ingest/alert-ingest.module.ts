import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { QUEUES } from '../../core/queue/queues.js';
import { AlertBot } from '../../users/alert-bot.service.js';
import { UserRepositoriesModule } from '../../users/user-repositories.module.js';
import { AlertHints } from '../alert-hints.service.js';
import { AlertRepositoriesModule } from '../alert-repositories.module.js';
import { AlertBatchWriter } from './alert-batch-writer.service.js';
import { AlertIngest } from './alert-ingest.service.js';
import { DeliveryLog } from './delivery-log.service.js';

/** Writing what monitoring tools told: the one way into the table of alerts. */
@Module({
  imports: [
    AlertRepositoriesModule,
    BullModule.registerQueue({ name: QUEUES.alerts }),
    UserRepositoriesModule,
  ],
  providers: [AlertBatchWriter, AlertBot, AlertHints, AlertIngest, DeliveryLog],
  exports: [AlertIngest, DeliveryLog],
})
export class AlertIngestModule {}
