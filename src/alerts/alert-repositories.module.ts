import { Module } from '@nestjs/common';
import { AlertDeliveriesRepository } from './alert-deliveries.repository.js';
import { AlertEmailsRepository } from './alert-emails.repository.js';
import { AlertIntegrationsRepository } from './alert-integrations.repository.js';
import { AlertReactionsRepository } from './alert-reactions.repository.js';

const REPOSITORIES = [
  AlertDeliveriesRepository,
  AlertEmailsRepository,
  AlertIntegrationsRepository,
  AlertReactionsRepository,
];

/** The repositories of alerts, for the web and the worker process. */
@Module({ providers: REPOSITORIES, exports: REPOSITORIES })
export class AlertRepositoriesModule {}
