import { Module } from '@nestjs/common';
import { ErrorRepositoriesModule } from '../error-repositories.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { ClientKeyWrites } from '../client-keys/client-key-writes.service.js';
import { ClientKeysController } from '../client-keys/client-keys.controller.js';
import { ClientKeys } from '../client-keys/client-keys.service.js';
import { ErrorSourcesModule } from '../client-keys/error-sources.module.js';
import { ErrorTrackingSettingsController } from './error-tracking-settings.controller.js';
import { ErrorTrackingSettings } from './error-tracking-settings.service.js';

/** Error tracking settings of a project, and its client keys. */
@Module({
  imports: [ErrorRepositoriesModule, ErrorSourcesModule, ProjectsModule],
  controllers: [ClientKeysController, ErrorTrackingSettingsController],
  providers: [ClientKeyWrites, ClientKeys, ErrorTrackingSettings],
  exports: [ClientKeys, ErrorTrackingSettings],
})
export class ErrorTrackingSettingsModule {}
