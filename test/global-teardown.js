import { cleanups, testVariables } from './global-setup.js';

/** Undoes what global-setup.js did, last first, also when it failed half way. */
export default async function globalTeardown() {
  await testVariables().catch(() => undefined);
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
}
