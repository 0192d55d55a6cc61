import { type DynamicModule, Module } from '@nestjs/common';
import { AccountModule } from './account/account.module.js';
import { AdminModule } from './admin/admin.module.js';
import { ActivityModule } from './activity/activity.module.js';
import { AlertsModule } from './alerts/alerts.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BackgroundJobsModule } from './background-jobs/background-jobs.module.js';
import { MilestonesModule } from './milestones/milestones.module.js';
import { MergeRequestsModule } from './merge-requests/merge-requests.module.js';
import { CodeModule } from './code/code.module.js';
import { ErrorTrackingModule } from './error-tracking/error-tracking.module.js';
import { EventsModule } from './events/events.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Config } from './config/env.js';
import { CoreModule } from './core/core.module.js';
import { HealthModule } from './core/health/health.module.js';
import { OpenApiModule } from './core/openapi/openapi.module.js';
import { DurableWorkModule } from './core/durable-work/durable-work.module.js';
import { VersionModule } from './core/version/version.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { DatabaseModule } from './database/database.module.js';
import { EnvironmentsModule } from './environments/environments.module.js';
import { GitHttpModule } from './git-http/git-http.module.js';
import { GroupsModule } from './groups/groups.module.js';
import { IssuesModule } from './issues/issues.module.js';
import { FailedMailPagesModule } from './mail/pages/failed-mail-pages.module.js';
import { CommitStatusesModule } from './commit-statuses/commit-statuses.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { OAuthModule } from './oauth/oauth.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { ResourceTokensModule } from './resource-tokens/resource-tokens.module.js';
import { SettingsModule } from './settings/settings.module.js';
import { SettingPagesModule } from './settings/pages/setting-pages.module.js';
import { SnippetsModule } from './snippets/snippets.module.js';
import { StorageMovePagesModule } from './storage-moves/pages/storage-move-pages.module.js';
import { StorageMovesModule } from './storage-moves/storage-moves.module.js';
import { PersonalTokensModule } from './tokens/personal-tokens.module.js';
import { UsersModule } from './users/users.module.js';

const FEATURES = [
  EventsModule,
  CodeModule,
  MergeRequestsModule,
  MilestonesModule,
  ActivityModule,
  AccountModule,
  AdminModule,
  AlertsModule,
  AuditModule,
  AuthModule,
  BackgroundJobsModule,
  DashboardModule,
  EnvironmentsModule,
  ErrorTrackingModule,
  FailedMailPagesModule,
  GitHttpModule,
  GroupsModule,
  HealthModule,
  IssuesModule,
  PersonalTokensModule,
  NotificationsModule,
  CommitStatusesModule,
  OAuthModule,
  OpenApiModule,
  ProjectsModule,
  ResourceTokensModule,
  SettingPagesModule,
  SettingsModule,
  SnippetsModule,
  StorageMovePagesModule,
  StorageMovesModule,
  UsersModule,
  VersionModule,
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
