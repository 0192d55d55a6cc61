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

/** A file of a repository; its path has one latin1 character per byte. */
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
  files: FileDump[];
}

/** A write whose refs can be in the backup although the rows do not record it. */
export interface LateWrite {
  id: string;
  repository_kind: RepositoryKind;
  container_id: number;
  user_id: number | null;
  commands: { oldOid: string; newOid: string; ref: string }[];
}

export const MANIFEST_VERSION = 2;

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
  const files = repositories.flatMap((repository) => repository.files);
  return new Set(
    [...database.tables, ...files].flatMap(({ parts }) => parts.map(([name]) => name)),
  );
}
