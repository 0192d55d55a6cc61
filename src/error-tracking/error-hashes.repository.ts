import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { InputColumns } from '../core/ingest/ingest-queue.js';
import { Sql, type TransactionRows } from '../core/sql/sql.service.js';
import { ErrorHash } from './error-group.entity.js';
import { GROUPING_VERSION } from './parsing/grouping/event-hashes.js';

/** A hash of a project. */
export interface ProjectHash {
  projectId: number;
  hash: Buffer;
}

/** A hash and the error that it groups events into. */
export interface KnownHash extends ProjectHash {
  errorId: number;
  /** The error that this one is merged into. */
  targetId: number | null;
}

const HASHES = new InputColumns<ProjectHash>([
  ['project_id', 'bigint', ({ projectId }) => projectId],
  ['hash', 'bytea', ({ hash }) => hash],
]);

const READ_SQL = `
  SELECT h.project_id AS "projectId", h.hash, h.error_id AS "errorId", h.target_id AS "targetId"
  FROM ${HASHES.source} JOIN error_hashes h ON h.project_id = n.project_id AND h.hash = n.hash`;

const NEW_HASHES = new InputColumns<KnownHash>([
  ['project_id', 'bigint', ({ projectId }) => projectId],
  ['hash', 'bytea', ({ hash }) => hash],
  ['error_id', 'bigint', ({ errorId }) => errorId],
  ['target_id', 'bigint', ({ targetId }) => targetId],
]);

/** The first error keeps a hash that others insert for another one at the same time. */
const INSERT_SQL = `
  INSERT INTO error_hashes (project_id, hash, error_id, target_id, version)
  SELECT n.project_id, n.hash, n.error_id, n.target_id, ${GROUPING_VERSION} FROM ${NEW_HASHES.source}
  ORDER BY n.project_id, n.hash
  ON CONFLICT DO NOTHING`;

const ERROR_SQL = `SELECT coalesce(target_id, error_id) AS "errorId" FROM error_hashes
  WHERE project_id = $1 AND hash = ANY($2::bytea[]) LIMIT 1`;

/** Owns every statement about the hashes by which events are grouped. */
@Injectable()
export class ErrorHashesRepository extends Repository<ErrorHash> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(ErrorHash, dataSource.manager);
  }

  /** Returns the id of the error that one of the hashes belongs to. */
  async findErrorId(projectId: number, hashes: readonly Buffer[]): Promise<number | null> {
    const row = await this.queries.row<{ errorId: number }>(ERROR_SQL, [projectId, hashes]);
    return row?.errorId ?? null;
  }

  /** Returns those of the hashes that belong to an error. */
  findKnown(rows: TransactionRows, hashes: readonly ProjectHash[]): Promise<KnownHash[]> {
    return rows<KnownHash>(READ_SQL, HASHES.values(hashes));
  }

  /** Inserts hashes that are new. */
  async insertAll(rows: TransactionRows, hashes: readonly KnownHash[]): Promise<void> {
    await rows(INSERT_SQL, NEW_HASHES.values(hashes));
  }
}
