import type { INestApplicationContext } from '@nestjs/common';
import { StorageRegistry } from '../git/storage-registry.js';
import { CliError } from './cli.js';

/** Throws CliError for a storage that is not configured. */
export function assertStorage(app: INestApplicationContext, name: string): void {
  const names = app.get(StorageRegistry, { strict: false }).names();
  if (names.includes(name)) return;
  throw new CliError(`there is no storage ${name}; STORAGES has ${names.join(', ')}`);
}

/** Throws CliError for an unknown storage, or without a destination other than the source. */
export function assertRoute(
  app: INestApplicationContext,
  { from, to }: { from: string; to?: string },
): void {
  assertStorage(app, from);
  if (to === from) throw new CliError(`--to must name another storage than ${from}`);
  if (to !== undefined) assertStorage(app, to);
  else if (app.get(StorageRegistry, { strict: false }).pick([from]) === null) {
    throw new CliError('no other storage has a weight: name the destination with --to');
  }
}
