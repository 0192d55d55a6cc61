import { fileURLToPath } from 'node:url';

/** Folder of the hooks that receive-pack runs; the build copies it beside the bundle as well. */
export const HOOKS_PATH = fileURLToPath(new URL('./hooks', import.meta.url));
