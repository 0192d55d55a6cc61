import { fileURLToPath } from 'node:url';

/** Threads run what is compiled: they know nothing of how jest reads the sources. */
export const COMPILED_EVENT_READER = fileURLToPath(
  new URL('../../dist/src/error-tracking/parsing/threads/event-reader.thread.js', import.meta.url),
);
