import type { RepositoryKind } from '../../git/repository-path.js';

/** Bytes of a chunk: its name, the first byte and their number. */
export type Part = [chunk: string, offset: number, length: number];

/** The rows of one table, as PostgreSQL's COPY writes them as text. */
export interface TableDump {
  name: string;
  columns: string[];
  rows: number;
  parts: Part[];
}

/** A partition with its bounds as PostgreSQL states them (`FOR VALUES FROM … TO …`). */
export interface PartitionDump {
  name: string;
  parent: string;
  bounds: string;
}

export interface SequenceDump {
  name: string;
  /** null: never used. */
  value: string | null;
}

export interface DatabaseDump {
  migrations: string[];
  tables: TableDump[];
  partitions: PartitionDump[];
  sequences: SequenceDump[];
}

/** A file of a repository, a line of its list; its path has one latin1 character per byte. */
export interface FileDump {
  path: string;
  mode: number;
  size: number;
  parts: Part[];
}

export interface RepositoryDump {
  kind: RepositoryKind;
  container_id: number;
  /** By the row of its container, not where it was read. */
  storage: string;
  /** Bytes of all files. */
  bytes: number;
  /** Names of the chunks that the files need. */
  chunks: string[];
  /** Where the list of the files is: in memory there would be millions. */
  list: Part[];
  /** SHA-256 of the list; an equal list is not written again. */
  digest: string;
}

/** A write whose refs can be in the backup although the rows do not record it. */
export interface LateWrite {
  id: string;
  repository_kind: RepositoryKind;
  container_id: number;
  user_id: number | null;
  commands: { oldOid: string; newOid: string; ref: string }[];
}

export const MANIFEST_VERSION = 3;

/** Everything that restores one point in time. */
export interface Manifest {
  version: typeof MANIFEST_VERSION;
  id: string;
  /** Everything acknowledged before this moment of the database's clock is included. */
  snapshot_at: string;
  finished_at: string;
  guildhall_version: string;
  database: DatabaseDump;
  repositories: RepositoryDump[];
  late_writes: LateWrite[];
  /** Environment variables by name. */
  secrets: Record<string, string>;
  /** Repositories that could not be read, with the reason. */
  failures: { repository: string; reason: string }[];
  statistics: { rows: number; bytes: number; written_bytes: number };
}

/** Names of the chunks that the backup needs. */
export function chunksOf({ database, repositories }: Manifest): Set<string> {
  const names = new Set(repositories.flatMap(({ chunks }) => chunks));
  const lists = repositories.map(({ list }) => list);
  for (const parts of [...database.tables.map((table) => table.parts), ...lists]) {
    for (const [name] of parts) names.add(name);
  }
  return names;
}
