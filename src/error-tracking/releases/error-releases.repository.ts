import { Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, ForeignKey, Index, PrimaryColumn, Repository } from 'typeorm';
import { InputColumns } from '../../core/ingest/common-inserts.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { Project } from '../../workspace/projects/project.entity.js';

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

/** A release with its position in the order of first sight; null before it is known. */
export interface SeenRelease {
  version: string;
  position: number | null;
}

/** `package@1.2.3-beta.1+build`; package, `v`, prerelease and build are optional. */
const SEMANTIC =
  /^(?:([^@]*)@)?v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * Returns true if a release is newer than another one: by precedence if both are semantic versions
 * of one package, else by first sight. A release without a position is newer than all known ones.
 */
export function isNewerRelease(release: SeenRelease, base: SeenRelease): boolean {
  if (release.version === base.version) return false;
  const order = compareVersions(release.version, base.version);
  if (order !== null && order !== 0) return order > 0;
  return (release.position ?? Infinity) > (base.position ?? Infinity);
}

/** Returns the newest of releases that are given in the order of first sight. */
export function newestRelease(releases: readonly SeenRelease[]): SeenRelease | null {
  return releases.reduce<SeenRelease | null>(
    (newest, release) => (newest === null || isNewerRelease(release, newest) ? release : newest),
    null,
  );
}

/** Returns null unless both are semantic versions of one package. */
function compareVersions(one: string, other: string): number | null {
  const [a, b] = [SEMANTIC.exec(one), SEMANTIC.exec(other)];
  if (a === null || b === null || a[1] !== b[1]) return null;
  for (const at of [2, 3, 4]) {
    const difference = Number(a[at]) - Number(b[at]);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(a[5], b[5]);
}

/** A version comes after its prereleases; numbers come before words, fewer parts before more. */
function comparePrereleases(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined);
  }
  const [a, b] = [one.split('.'), other.split('.')];
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const order = compareParts(a[at] as string, b[at] as string);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareParts(a: string, b: string): number {
  if (a === b) return 0;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return Number(a) - Number(b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : 1;
}
