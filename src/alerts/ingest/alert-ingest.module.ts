import { Module } from '@nestjs/common';
import { AlertBot } from '../../users/alert-bot.service.js';
import { UserRepositoriesModule } from '../../users/user-repositories.module.js';
import { AlertRepositoriesModule } from '../alert-repositories.module.js';
import { AlertBatchWriter } from './alert-batch-writer.service.js';
import { AlertIngest } from './alert-ingest.service.js';
import { DeliveryLog } from './delivery-log.service.js';

/** Ingest of alerts: the only way into the table of alerts. */
@Module({
  imports: [AlertRepositoriesModule, UserRepositoriesModule],
  providers: [AlertBatchWriter, AlertBot, AlertIngest, DeliveryLog],
  exports: [AlertIngest, DeliveryLog],
})
export class AlertIngestModule {}
