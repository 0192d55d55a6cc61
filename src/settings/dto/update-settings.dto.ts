import { SETTING_NAMES, SETTINGS, type Settings } from '../../core/settings/settings.js';
import { settingParam } from '../setting-param.js';

/** Any of the settings; what is left out or null stays as it is, unless null is one of its values. */
export type SettingChanges = { -readonly [K in keyof Settings]?: Settings[K] | null };

/** Gives the class its type; its properties come from the loop below. */
const Changes = Object as unknown as new () => SettingChanges;

/** PUT /application/settings */
export class UpdateSettingsDto extends Changes {}

for (const name of SETTING_NAMES) settingParam(SETTINGS[name])(UpdateSettingsDto.prototype, name);
