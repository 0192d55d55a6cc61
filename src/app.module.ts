import { type DynamicModule, Module } from '@nestjs/common';
import { AccountModule } from './identity/account/account.module.js';
import { AdminModule } from './instance/admin/admin.module.js';
import { AlertsModule } from './alerts/alerts.module.js';
import { AuditModule } from './instance/audit/audit.module.js';
import { AuthModule } from './identity/auth/auth.module.js';
import { BackgroundJobsModule } from './instance/background-jobs/background-jobs.module.js';
import { LabelsModule } from './workspace/labels/labels.module.js';
import { MilestonesModule } from './workspace/milestones/milestones.module.js';
import { MergeRequestsModule } from './code/merge-requests/merge-requests.module.js';
import { CodeModule } from './code/repository/code.module.js';
import { ErrorTrackingModule } from './error-tracking/error-tracking.module.js';
import { EventsModule } from './events/events.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Config } from './config/env.js';
import { CoreModule } from './core/core.module.js';
import { CoreWebModule } from './core/core.web.module.js';
import { DurableWorkModule } from './core/durable-work/durable-work.module.js';
import { DashboardModule } from './instance/dashboard/dashboard.module.js';
import { DatabaseModule } from './database/database.module.js';
import { EnvironmentsModule } from './workspace/environments/environments.module.js';
import { FrameModule } from './instance/frame/frame.module.js';
import { GitHttpModule } from './code/git-http/git-http.module.js';
import { GroupsModule } from './workspace/groups/groups.module.js';
import { IssuesModule } from './workspace/issues/issues.module.js';
import { CommitStatusesModule } from './code/commit-statuses/commit-statuses.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { OAuthModule } from './oauth/oauth.module.js';
import { ProjectsModule } from './workspace/projects/projects.module.js';
import { ReferencesModule } from './instance/references/references.module.js';
import { ResourceTokensModule } from './workspace/resource-tokens/resource-tokens.module.js';
import { SearchModule } from './instance/search/search.module.js';
import { SettingsModule } from './instance/settings/settings.module.js';
import { SnippetsModule } from './workspace/snippets/snippets.module.js';
import { StorageMovesModule } from './storage-moves/storage-moves.module.js';
import { TodosModule } from './instance/todos/todos.module.js';
import { TokensModule } from './identity/tokens/tokens.module.js';
import { UsersModule } from './identity/users/users.module.js';

const FEATURES = [
  SearchModule,
  EventsModule,
  CodeModule,
  MergeRequestsModule,
  MilestonesModule,
  AccountModule,
  AdminModule,
  AlertsModule,
  AuditModule,
  AuthModule,
  BackgroundJobsModule,
  CoreWebModule,
  DashboardModule,
  EnvironmentsModule,
  ErrorTrackingModule,
  FrameModule,
  GitHttpModule,
  GroupsModule,
  IssuesModule,
  LabelsModule,
  NotificationsModule,
  CommitStatusesModule,
  OAuthModule,
  ProjectsModule,
  ReferencesModule,
  ResourceTokensModule,
  SettingsModule,
  SnippetsModule,
  StorageMovesModule,
  TodosModule,
  TokensModule,
  UsersModule,
];

/** The web process: every feature with its endpoints. */
@Module({})
export class AppModule {
  /** Reads the environment unless a configuration is given. */
  static forRoot(config?: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        DatabaseModule.forWeb(),
        DurableWorkModule,
        CoreModule,
        ...FEATURES,
      ],
    };
  }
}
