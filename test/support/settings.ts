import { ApplicationSetting } from '../../src/core/settings/application-setting.entity.js';
import { InstanceSettings } from '../../src/core/settings/instance-settings.service.js';
import type { SettingName, Settings } from '../../src/core/settings/settings.js';
import type { TestApp } from './app.js';

/** Changes settings of the installation; they hold in this process when it returns. */
export async function changeSettings(
  { app, dataSource }: Pick<TestApp, 'app' | 'dataSource'>,
  values: Partial<Settings>,
): Promise<void> {
  const settings = app.get(InstanceSettings);
  const rows = Object.entries(values).map(([name, value]) => ({
    name,
    value: settings.stored(name as SettingName, value),
  }));
  await dataSource.manager.upsert(ApplicationSetting, rows, ['name']);
  await settings.reload();
}
