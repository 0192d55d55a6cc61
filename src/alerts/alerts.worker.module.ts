import { Module } from '@nestjs/common';
import { GitModule } from '../git/git.module.js';
import { IssueStatesModule } from '../workspace/issues/issue-states.module.js';
import { MailModule } from '../core/mail/mail.module.js';
import { AlertBot } from '../identity/users/alert-bot.service.js';
import { AlertRepositoriesModule } from './alert-repositories.module.js';
import { UserRepositoriesModule } from '../identity/users/user-repositories.module.js';
import { AlertEmailWriter, AlertMails } from './worker/alert-mails.service.js';
import { AlertReactions } from './worker/alert-reactions.service.js';
import {
  DeliveryJanitor,
  SilenceJanitor,
  StaleAlertResolver,
} from './worker/alert-maintenance.service.js';
import { IncidentClosings, IncidentOpenings } from './worker/incident-reactions.service.js';
import { IssueTemplates } from './incidents/issue-templates.service.js';
import { UnsubscribeKeys } from '../workspace/subscriptions/unsubscribe-keys.js';

/** Background work on alerts: incidents, emails, resolution of inactive alerts, old deliveries. */
@Module({
  imports: [
    AlertRepositoriesModule,
    GitModule,
    IssueStatesModule,
    MailModule,
    UserRepositoriesModule,
  ],
  providers: [
    AlertBot,
    AlertEmailWriter,
    AlertMails,
    AlertReactions,
    DeliveryJanitor,
    IncidentClosings,
    IncidentOpenings,
    IssueTemplates,
    SilenceJanitor,
    StaleAlertResolver,
    UnsubscribeKeys,
  ],
})
export class AlertsWorkerModule {}
