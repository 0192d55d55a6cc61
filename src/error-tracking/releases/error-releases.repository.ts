import { Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, ForeignKey, Index, PrimaryColumn, Repository } from 'typeorm';
import { InputColumns } from '../../core/ingest/ingest-queue.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { Project } from '../../workspace/projects/project.entity.js';
import type { SeenRelease } from './release-order.js';

/** A release that events of a project named, in the order of first sight. */
@Entity('error_releases')
@Index('ix_error_releases_position', ['projectId', 'position'])
export class ErrorRelease {
  @ForeignKey(() => Project, { name: 'fk_error_releases_project', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_error_releases',
  })
  projectId: number;

  /** Up to 250 characters. */
  @PrimaryColumn({ type: 'text', name: 'version', primaryKeyConstraintName: 'pk_error_releases' })
  version: string;

  /** Releases that were seen later have a higher one. */
  @Column({ type: 'bigint', name: 'position', generated: 'identity' })
  position: number;
}

/** A release of a project. */
export type ProjectRelease = Pick<ErrorRelease, 'projectId' | 'version'>;

const RELEASES = new InputColumns<ProjectRelease>([
  ['project_id', 'bigint', ({ projectId }) => projectId],
  ['version', 'text', ({ version }) => version],
]);

/** Names from programs; a release beyond these counts as seen just now. */
const MAX_RELEASES = 10_000;

/** In order: two statements with common releases never wait for each other crosswise. */
const INSERT_SQL = `
  INSERT INTO error_releases (project_id, version)
  SELECT n.project_id, n.version FROM ${RELEASES.source} JOIN projects p ON p.id = n.project_id
  WHERE NOT EXISTS (SELECT FROM error_releases r
      WHERE r.project_id = n.project_id AND r.version = n.version)
    AND (SELECT count(*) FROM (SELECT FROM error_releases r
      WHERE r.project_id = n.project_id LIMIT ${MAX_RELEASES}) known) < ${MAX_RELEASES}
  ORDER BY n.project_id, n.version
  ON CONFLICT DO NOTHING`;

const POSITIONS_SQL = `
  SELECT r.project_id AS "projectId", r.version, r.position AS "seenAs"
  FROM ${RELEASES.source}
  JOIN error_releases r ON r.project_id = n.project_id AND r.version = n.version`;

/** A hotfix of an older version is not the newest release for being seen last. */
const CANDIDATES = 100;

const LATEST_SQL = `
  SELECT version, position FROM error_releases WHERE project_id = $1
  ORDER BY position DESC LIMIT ${CANDIDATES}`;

/** Owns every statement about the releases of errors. */
@Injectable()
export class ErrorReleasesRepository extends Repository<ErrorRelease> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(ErrorRelease, dataSource.manager);
  }

  /** Inserts the releases that are new, in a transaction of their own. */
  async insertNew(releases: readonly ProjectRelease[]): Promise<void> {
    await this.queries.rows(INSERT_SQL, RELEASES.values(releases));
  }

  /** Returns the positions of those of the releases that are known. */
  findPositions(
    rows: TransactionRows,
    releases: readonly ProjectRelease[],
  ): Promise<(ProjectRelease & { seenAs: number })[]> {
    return rows<ProjectRelease & { seenAs: number }>(POSITIONS_SQL, RELEASES.values(releases));
  }

  /** Returns the last 100 releases of a project in the order of first sight. */
  async listLatest(projectId: number): Promise<SeenRelease[]> {
    const rows = await this.queries.rows<SeenRelease>(LATEST_SQL, [projectId]);
    return rows.toReversed();
  }
}
