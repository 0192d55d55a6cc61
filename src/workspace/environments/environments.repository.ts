import { Injectable } from '@nestjs/common';
import {
  Check,
  Column,
  DataSource,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Repository,
} from 'typeorm';
import { BadRequestError, InvalidParamsError, NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions, containsPattern } from '../../core/sql/conditions.js';
import { Sql } from '../../core/sql/sql.service.js';
import { TimestampColumns } from '../../core/sql/timestamp-columns.js';
import { Project } from '../projects/project.entity.js';
import type { ListEnvironmentsDto } from './environment.dto.js';

export type EnvironmentState = 'available' | 'stopped';

export const ENVIRONMENT_TIERS = [
  'production',
  'staging',
  'testing',
  'development',
  'other',
] as const;
export type EnvironmentTier = (typeof ENVIRONMENT_TIERS)[number];

/** Where a project runs, by a name that alerts refer to. */
@Entity('environments')
@Index('uq_environments_project_name', ['projectId', 'name'], { unique: true })
@Index('uq_environments_project_slug', ['projectId', 'slug'], { unique: true })
@Check('ck_environments_state', `"state" IN ('available', 'stopped')`)
@Check(
  'ck_environments_tier',
  `"tier" IN ('production', 'staging', 'testing', 'development', 'other')`,
)
@Check('ck_environments_name', `char_length("name") BETWEEN 1 AND 255`)
export class Environment extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_environments',
  })
  id: number;

  @ForeignKey(() => Project, { name: 'fk_environments_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  @Column({ type: 'text', name: 'name' })
  name: string;

  /** The name as a part of host names: at most 24 of a-z, 0-9 and hyphens. */
  @Column({ type: 'text', name: 'slug' })
  slug: string;

  @Column({ type: 'text', name: 'external_url', nullable: true })
  externalUrl: string | null;

  @Column({ type: 'text', name: 'state', default: 'available' })
  state: EnvironmentState;

  @Column({ type: 'text', name: 'tier', default: 'other' })
  tier: EnvironmentTier;
}

const MIN_SEARCH_LENGTH = 3;

const COLUMNS = `
  e.id, e.name, e.slug, e.external_url AS "externalUrl", e.state, e.tier,
  e.created_at AS "createdAt", e.updated_at AS "updatedAt"`;

/** Most environments that a page shows. */
const MAX_SEEN = 200;

/** Environments whose alerts or errors are counted, those with recent ones first. */
const MAX_COUNTED = 500;

/** Environments that errors name. Unresolved errors have the status 0. */
const TAGGED_SQL = `
  SELECT t.value AS name, max(t.last_seen_at) AS seen,
    count(*) FILTER (WHERE r.status = 0)::int AS unresolved, count(*)::int AS counted
  FROM error_tags t JOIN errors r ON r.project_id = t.project_id AND r.id = t.error_id
  WHERE t.project_id = $1 AND t.key = 'environment' GROUP BY 1 ORDER BY 2 DESC LIMIT ${MAX_COUNTED}`;

/** Environments of alerts. Open ones have the status 0 (triggered) or 1 (acknowledged). */
const ALERTED_SQL = `
  SELECT a.environment_id AS id, max(a.last_event_at) AS seen,
    count(*) FILTER (WHERE a.status IN (0, 1))::int AS open, count(*)::int AS counted
  FROM alerts a WHERE a.project_id = $1 AND a.environment_id IS NOT NULL
  GROUP BY 1 ORDER BY 2 DESC LIMIT ${MAX_COUNTED}`;

/** $1 = project, $2 = rows of TAGGED_SQL, $3 = rows of ALERTED_SQL, as JSON. */
const SEEN_SQL = `
  WITH tagged AS (
    SELECT * FROM json_to_recordset($2) AS t (name text, seen timestamptz, unresolved int)
  ), alerted AS (
    SELECT * FROM json_to_recordset($3) AS a (id bigint, seen timestamptz, open int)
  ), known AS (SELECT * FROM environments WHERE project_id = $1)
  SELECT coalesce(e.name, t.name) AS name, e.tier, e.state, e.external_url AS "externalUrl",
    coalesce(a.open, 0) AS "openAlerts", coalesce(t.unresolved, 0) AS "unresolvedErrors",
    greatest(a.seen, t.seen) AS "lastSeenAt"
  FROM known e FULL JOIN tagged t ON t.name = e.name LEFT JOIN alerted a ON a.id = e.id
  ORDER BY greatest(a.seen, t.seen) DESC NULLS LAST, 1 LIMIT ${MAX_SEEN}`;

/** An environment that was created, or that errors name, with what happened in it. */
export interface SeenEnvironment {
  name: string;
  /** null if only errors name the environment, as `state`. */
  tier: EnvironmentTier | null;
  state: EnvironmentState | null;
  externalUrl: string | null;
  openAlerts: number;
  unresolvedErrors: number;
  lastSeenAt: Date | null;
}

/** An environment as it is read. */
export type EnvironmentRow = Omit<Environment, 'projectId'>;

/** Owns every statement about environments. */
@Injectable()
export class EnvironmentsRepository extends Repository<Environment> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Environment, dataSource.manager);
  }

  /**
   * Returns one page of a project's environments by id; throws 400 for filters that exclude each
   * other and for a search text that is too short.
   */
  list(
    projectId: number,
    filters: ListEnvironmentsDto,
    paging: Paging,
  ): Promise<Page<EnvironmentRow>> {
    const where = new Conditions();
    where.and(`e.project_id = ${where.value(projectId)}`);
    addFilters(where, filters);
    return this.queries.page<EnvironmentRow>(
      {
        select: COLUMNS,
        from: 'environments e',
        where: where.toString(),
        orderBy: 'e.id',
        values: where.values,
      },
      paging,
    );
  }

  /**
   * Returns the environments of a project and its errors, those with recent events first. Their
   * alerts and errors can be as old as `Sql.countedRows` allows.
   */
  async listSeen(projectId: number): Promise<SeenEnvironment[]> {
    const happened = await Promise.all(
      [TAGGED_SQL, ALERTED_SQL].map((text) => this.queries.countedRows(text, [projectId])),
    );
    const values = happened.map((rows) => JSON.stringify(rows));
    return this.queries.rows<SeenEnvironment>(SEEN_SQL, [projectId, ...values]);
  }

  /** Throws NotFoundError for an environment that the project does not have. */
  async findInProject(projectId: number, id: number): Promise<EnvironmentRow> {
    const row = await this.queries.row<EnvironmentRow>(
      `SELECT ${COLUMNS} FROM environments e WHERE e.project_id = $1 AND e.id = $2`,
      [projectId, id],
    );
    if (row === null) throw new NotFoundError();
    return row;
  }
}

function addFilters(where: Conditions, { name, search, states }: ListEnvironmentsDto): void {
  if (name && search) throw new InvalidParamsError(['name, search cannot be used together']);
  if (search && search.length < MIN_SEARCH_LENGTH) {
    throw new BadRequestError(`Search query is less than ${MIN_SEARCH_LENGTH} characters`);
  }
  if (name) where.and(`e.name = ${where.value(name)}`);
  if (search) where.and(`e.name ILIKE ${where.value(containsPattern(search))}`);
  if (states) where.and(`e.state = ${where.value(states)}`);
}
