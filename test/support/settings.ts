import { InstanceSettings } from '../../src/core/settings/instance-settings.service.js';
import type { SettingName, Settings } from '../../src/core/settings/settings.js';
import type { TestApp } from './app.js';

/** Changes settings of the instance; they hold in this process when it returns. */
export async function changeSettings(
  { app, dataSource }: Pick<TestApp, 'app' | 'dataSource'>,
  values: Partial<Settings>,
): Promise<void> {
  const settings = app.get(InstanceSettings);
  for (const [name, value] of Object.entries(values)) {
    await dataSource.query(
      `INSERT INTO application_settings (name, value) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [name, JSON.stringify(settings.stored(name as SettingName, value))],
    );
  }
  await settings.reload();
}
