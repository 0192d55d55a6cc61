import type { RepositoryKind } from '../../git/repository-path.js';
import { CliError } from '../cli.js';

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
  /** Chunks of the file list, which is too long to keep in memory. */
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

/** A backup of a version of Guildhall whose backups this one cannot read. */
export class OtherFormatError extends CliError {
  readonly format: number;

  constructor(id: string, format: number) {
    const hint =
      format > MANIFEST_VERSION
        ? 'use a newer version of Guildhall'
        : 'restore it with the version that made it, and give new backups another location';
    super(`backup ${id} has format ${format}: ${hint}`);
    this.format = format;
  }
}

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
