import { ApplicationSetting } from '../../src/core/settings/application-setting.entity.js';
import { InstanceSettings } from '../../src/core/settings/instance-settings.service.js';
import type { SettingName, Settings } from '../../src/core/settings/settings.js';
import type { TestApp } from './app.js';

/** Changes settings of the installation as an administrator would; they hold on return. */
export async function changeSettings(
  { app, dataSource }: Pick<TestApp, 'app' | 'dataSource'>,
  changes: Partial<Settings>,
): Promise<void> {
  const settings = app.get(InstanceSettings);
  for (const [name, value] of Object.entries(changes)) {
    const row = { name, value: settings.stored(name as SettingName, value) };
    await dataSource.manager.upsert(ApplicationSetting, row as ApplicationSetting, ['name']);
  }
  await settings.reload();
}
