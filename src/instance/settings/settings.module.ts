import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { SettingPagesController } from './pages/setting-pages.controller.js';
import { SettingsController } from './settings.controller.js';
import { SettingsUpdateService } from './settings-update.service.js';

/** Reads and changes the instance settings, which core/settings declares. */
@Module({
  imports: [GitModule],
  controllers: [SettingPagesController, SettingsController],
  providers: [SettingsUpdateService],
  exports: [SettingsUpdateService],
})
export class SettingsModule {}
