import { join, resolve } from 'node:path';
import type { EnvReader } from './env-reader.js';

/** One repository storage: its folder, and its share of new repositories (0 takes none). */
export interface StorageConfig {
  readonly path: string;
  readonly weight: number;
}

export type StoragesConfig = Readonly<Record<string, StorageConfig>>;

const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;
const MAX_WEIGHT = 100;

/**
 * `STORAGES`: JSON such as `{"default":{"path":"/srv/a","weight":100}}`.
 * When unset there are two below the data folder, so that moves can be tried at once.
 */
export function readStorages(reader: EnvReader, dataDir: string): StoragesConfig {
  const text = reader.text('STORAGES');
  if (text === undefined) return defaultStorages(dataDir);
  const parsed = parseObject(text);
  if (parsed === null) {
    reader.refuse('STORAGES', 'must be a JSON object of storages');
    return {};
  }
  const entries = Object.entries(parsed).flatMap(([name, value]) => {
    const storage = readStorage(reader, name, value);
    return storage === null ? [] : [[name, storage] as const];
  });
  checkTogether(reader, entries);
  return Object.fromEntries(entries);
}

function defaultStorages(dataDir: string): StoragesConfig {
  return {
    default: { path: join(dataDir, 'storages', 'default'), weight: 100 },
    storage2: { path: join(dataDir, 'storages', 'storage2'), weight: 0 },
  };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    // The parser's own message quotes the text; "must be a JSON object" says enough.
    return null;
  }
}

function readStorage(reader: EnvReader, name: string, value: unknown): StorageConfig | null {
  if (!NAME_PATTERN.test(name)) {
    reader.refuse('STORAGES', `has a storage with an unusable name: ${JSON.stringify(name)}`);
    return null;
  }
  const { path, weight = MAX_WEIGHT } = (value ?? {}) as { path?: unknown; weight?: unknown };
  if (typeof path !== 'string' || path === '') {
    reader.refuse('STORAGES', `needs a path for ${name}`);
    return null;
  }
  if (!Number.isInteger(weight) || Number(weight) < 0 || Number(weight) > MAX_WEIGHT) {
    reader.refuse('STORAGES', `needs a weight from 0 to ${MAX_WEIGHT} for ${name}`);
    return null;
  }
  return { path: resolve(path), weight: Number(weight) };
}

function checkTogether(reader: EnvReader, entries: (readonly [string, StorageConfig])[]): void {
  if (!entries.some(([, { weight }]) => weight > 0)) {
    reader.refuse('STORAGES', 'needs at least one storage with a weight above 0');
  }
  for (const [name, { path }] of entries) {
    const outer = entries.find(([other, { path: otherPath }]) => {
      return other !== name && (path === otherPath || path.startsWith(`${otherPath}/`));
    });
    if (outer) reader.refuse('STORAGES', `has ${name} in the same folder as ${outer[0]}`);
  }
}
