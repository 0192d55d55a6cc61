import {
  SETTING_NAMES,
  SETTINGS,
  type SecretName,
  type Settings,
} from '../../core/settings/settings.js';
import type { SettingDeclaration } from '../../core/settings/setting-types.js';

type ShownSettings = { [K in Exclude<keyof Settings, SecretName>]: Settings[K] };
type ConfiguredSecrets = { [K in SecretName as `${K}_configured`]: boolean };

/** Instance settings; secrets only as set or not set. */
export interface SettingsResponse extends ShownSettings, ConfiguredSecrets {}

/** Returns the settings for administrators. */
export function presentSettings(settings: Settings): SettingsResponse {
  const entries = SETTING_NAMES.map((name): [string, unknown] => {
    const declaration: SettingDeclaration = SETTINGS[name];
    if (declaration.secret !== true) return [name, settings[name]];
    return [`${name}_configured`, settings[name] !== ''];
  });
  return Object.fromEntries(entries) as unknown as SettingsResponse;
}
