import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { CoreModule } from '../core/core.module.js';
import { DurableWorkModule } from '../core/durable-work/durable-work.module.js';
import { UiModule } from '../core/ui/ui.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { ErrorRetentionModule } from '../error-tracking/error-tracking.worker.module.js';
import { EventRetentionModule } from '../events/events.worker.module.js';
import { FrameModule } from '../instance/frame/frame.module.js';
import { OAuthSigningKeysRepository } from '../oauth/openid/oauth-signing-keys.repository.js';
import { SigningKeyStore } from '../oauth/openid/signing-key-store.service.js';
import { GroupsModule } from '../workspace/groups/groups.module.js';
import { MailTransport } from '../core/mail/mail-transport.service.js';
import { ProjectsModule } from '../workspace/projects/projects.module.js';
import { SettingsModule } from '../instance/settings/settings.module.js';
import { SnippetsModule } from '../workspace/snippets/snippets.module.js';
import { StorageMovesModule } from '../storage-moves/storage-moves.module.js';
import { TokensModule } from '../identity/tokens/tokens.module.js';
import { UsersModule } from '../identity/users/users.module.js';
import { CliRepository } from './cli.repository.js';

/** Features whose services the command line uses. */
const FEATURES = [
  ErrorRetentionModule,
  EventRetentionModule,
  FrameModule,
  GroupsModule,
  ProjectsModule,
  SettingsModule,
  SnippetsModule,
  StorageMovesModule,
  TokensModule,
  UsersModule,
];

/** The command line: every feature's services, nothing that listens or works on queues. */
@Module({})
export class CliModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: CliModule,
      imports: [
        ConfigModule.forRoot(config),
        DatabaseModule.forWorker(),
        DurableWorkModule,
        CoreModule,
        // Controllers of features are constructed as well.
        UiModule,
        ...FEATURES,
      ],
      providers: [CliRepository, MailTransport, OAuthSigningKeysRepository, SigningKeyStore],
    };
  }
}
