import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { QUEUES } from '../core/queue/queues.js';
import { GitModule } from '../git/git.module.js';
import { IssueStatesModule } from '../issues/issue-states.module.js';
import { MailModule } from '../mail/mail.module.js';
import { AlertBot } from '../users/alert-bot.service.js';
import { AlertRepositoriesModule } from './alert-repositories.module.js';
import { UserRepositoriesModule } from '../users/user-repositories.module.js';
import { AlertHints } from './alert-hints.service.js';
import { AlertEmailWriter } from './worker/alert-email-writer.service.js';
import { AlertMails } from './worker/alert-mails.service.js';
import { AlertReactionsProcessor } from './worker/alert-reactions.processor.js';
import { AlertReactions, REACTION_WORKS } from './worker/alert-reactions.service.js';
import { AlertRounds } from './worker/alert-rounds.service.js';
import { DeliveryJanitor } from './worker/delivery-janitor.service.js';
import { IncidentClosings } from './worker/incident-closings.service.js';
import { IncidentOpenings } from './worker/incident-openings.service.js';
import { IssueTemplates } from './incidents/issue-templates.service.js';
import type { ReactionWork } from './worker/reaction-work.js';
import { UnsubscribeKeys } from '../subscriptions/unsubscribe-keys.js';
import { StaleAlertResolver } from './worker/stale-alert-resolver.service.js';

const WORKS = {
  provide: REACTION_WORKS,
  inject: [IncidentOpenings, IncidentClosings, AlertMails],
  useFactory: (
    openings: IncidentOpenings,
    closings: IncidentClosings,
    mails: AlertMails,
  ): ReactionWork[] => [openings, closings, mails.workOn('firing'), mails.workOn('recovery')],
};

/** Background work on alerts: incidents, mails, resolution after silence, old deliveries. */
@Module({
  imports: [
    AlertRepositoriesModule,
    BullModule.registerQueue({ name: QUEUES.alerts }),
    GitModule,
    IssueStatesModule,
    MailModule,
    UserRepositoriesModule,
  ],
  providers: [
    AlertBot,
    AlertEmailWriter,
    AlertHints,
    AlertMails,
    AlertReactions,
    AlertReactionsProcessor,
    AlertRounds,
    DeliveryJanitor,
    IncidentClosings,
    IncidentOpenings,
    IssueTemplates,
    StaleAlertResolver,
    UnsubscribeKeys,
    WORKS,
  ],
})
export class AlertsWorkerModule {}
