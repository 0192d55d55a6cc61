import { Module } from '@nestjs/common';
import { GitModule } from '../../../git/git.module.js';
import { SettingsModule } from '../settings.module.js';
import { SettingPagesController } from './setting-pages.controller.js';

/** The administrators' page with the settings; apart from SettingsModule, which the CLI uses. */
@Module({ imports: [GitModule, SettingsModule], controllers: [SettingPagesController] })
export class SettingPagesModule {}
