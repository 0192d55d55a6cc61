import { Module } from '@nestjs/common';
import { GitModule } from '../git/git.module.js';
import { SettingsController } from './settings.controller.js';
import { SettingsUpdateService } from './settings-update.service.js';

/** Reading and changing the instance's settings; what they mean is said in core/settings. */
@Module({
  imports: [GitModule],
  controllers: [SettingsController],
  providers: [SettingsUpdateService],
  exports: [SettingsUpdateService],
})
export class SettingsModule {}
