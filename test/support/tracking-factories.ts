import { ClientKey } from '../../src/error-tracking/client-keys/client-keys.repository.js';
import { newPublicKey } from '../../src/error-tracking/client-keys/dsn.js';
import { ErrorTrackingSetting } from '../../src/error-tracking/error-tracking-setting.entity.js';
import type { TestApp } from './app.js';

/** Lets the project collect errors, by as many keys. */
export async function makeTracking(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  { id: projectId }: { id: number },
  { keys = 1 }: { keys?: number } = {},
): Promise<void> {
  await dataSource.manager.insert(ErrorTrackingSetting, { projectId, enabled: true });
  const made = Array.from({ length: keys }, () => ({ projectId, publicKey: newPublicKey() }));
  await dataSource.manager.insert(ClientKey, made);
}
