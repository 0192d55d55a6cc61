import type { RepositoryKind } from '../git/repository-path.js';

/** What one repository of a container holds. */
export interface RepositorySize {
  kind: RepositoryKind;
  bytes: number;
  files: number;
}

/** What the move of one container would do. */
export interface MoveForecast {
  dry_run: true;
  /** @example "default" */
  source_storage_name: string;
  /**
   * null when none can be drawn or the given one is not configured.
   * @example "storage2"
   */
  destination_storage_name: string | null;
  repositories: RepositorySize[];
  bytes_total: number;
  file_count: number;
  /** How long copying is likely to take, by what moves have taken lately. */
  estimated_seconds: number;
  /**
   * Everything that would make the move fail now.
   * @example ["Storage storage2 is paused"]
   */
  blockers: string[];
}

/** What emptying a storage would do. */
export interface BulkForecast {
  dry_run: true;
  /** @example "default" */
  source_storage_name: string;
  /**
   * null = drawn by weight for each container.
   * @example "storage2"
   */
  destination_storage_name: string | null;
  /** How many would be moved. */
  containers: number;
  /** How many of them are read-only now, by a move. */
  busy: number;
}
