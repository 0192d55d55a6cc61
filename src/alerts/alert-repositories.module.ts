import { Module } from '@nestjs/common';
import { AlertDeliveriesRepository } from './alert-deliveries.repository.js';
import { AlertEmailsRepository } from './alert-emails.repository.js';
import { AlertIncidentsRepository } from './alert-incidents.repository.js';
import { AlertIntegrationsRepository } from './alert-integrations.repository.js';
import { AlertReactionsRepository } from './alert-reactions.repository.js';
import { AlertSettingsRepository } from './alert-settings.repository.js';
import { AlertsRepository } from './alerts.repository.js';
import { AlertSilencesRepository } from './silences/alert-silences.repository.js';
import { AlertIngestRepository } from './ingest/alert-ingest.repository.js';

const REPOSITORIES = [
  AlertDeliveriesRepository,
  AlertEmailsRepository,
  AlertIncidentsRepository,
  AlertIngestRepository,
  AlertIntegrationsRepository,
  AlertReactionsRepository,
  AlertSettingsRepository,
  AlertSilencesRepository,
  AlertsRepository,
];

/** The repositories of alerts, for the web and the worker process. */
@Module({ providers: REPOSITORIES, exports: REPOSITORIES })
export class AlertRepositoriesModule {}
