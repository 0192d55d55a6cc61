import { cleanups } from './global-setup.js';

/** Undoes what global-setup.js did, last first. */
export default async function globalTeardown() {
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
}
