import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions } from '../../core/sql/conditions.js';
import { fromSql } from '../../core/sql/list-query.js';
import { Sql } from '../../core/sql/sql.service.js';
import {
  type JoinedMilestone,
  joinedMilestoneSql,
} from '../../workspace/milestones/milestones.repository.js';
import { PAGE_SCOPES, type PageScope } from './search-query.js';
import { PREFIX_SCOPES, type PrefixMatches, prefixMatchesSql } from './sql/prefix-matches.js';
import { NAMED_ABILITIES, type OwnProjects, ownProjectsWithSql } from './sql/own-projects.js';
import { SEARCH_KINDS } from './sql/search-kinds.js';
import { isRanked, searchQuery, type Search } from './sql/search-statement.js';

const MILESTONES_SQL = `
  SELECT ${joinedMilestoneSql('listed.id')} AS milestone,
    n.full_path || '/' || p.path AS "projectFullPath"
  FROM milestones listed JOIN projects p ON p.id = listed.project_id
  JOIN namespaces n ON n.id = p.namespace_id WHERE listed.id = ANY($1::bigint[])`;

/** A milestone outside of its project. */
interface ListedMilestone {
  milestone: JoinedMilestone;
  projectFullPath: string;
}

/** Counts beside the tabs of the page end here. */
export const MAX_COUNT = 100;

/** Counts by scope; null where counting took too long. */
export type SearchCounts = Record<PageScope, number | null>;

/** Longer searches of one bulk kind are given up, so that the others can be shown. */
const MAX_BULK_MS = 2_000;

const STATEMENT_TIMEOUT = '57014';

const BULK_SCOPES = PAGE_SCOPES.filter((scope) => SEARCH_KINDS[scope].order === 'id');
/** The scopes of each statement. */
const STATEMENTS: readonly (readonly PageScope[])[] = [
  PAGE_SCOPES.filter((scope) => !BULK_SCOPES.includes(scope)),
  ...BULK_SCOPES.map((scope) => [scope]),
];

/** Something found, as pages show it. */
export interface SearchHit {
  scope: PageScope;
  id: number;
  title: string;
  /** `#12`, `!3`, `$4` or `@jane`. */
  reference: string | null;
  /** Path of its project; the description of a project or group. */
  place: string | null;
  href: string;
  state: string | null;
  /** Name of the author. */
  by: string | null;
  createdAt: Date;
}

/**
 * Finds things by their names and titles; what the viewer cannot see is excluded inside the
 * statements. They run unprepared: whether an index of words or of times is faster depends on how
 * frequent the words are.
 */
@Injectable()
export class SearchRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queries: Sql,
  ) {}

  /** Returns the ids of one page. */
  async findIds(scope: PageScope, search: Search, paging: Paging): Promise<Page<number>> {
    const conditions = new Conditions();
    const query = searchQuery(scope, await this.prepare(search, [scope]), conditions);
    const list = { ...query, values: conditions.values, isSearch: true };
    const { items, ...rest } = await this.queries.page<{ id: number }>(list, paging);
    return { items: items.map(({ id }) => id), ...rest };
  }

  /** Returns one page as it is shown; its tab has the count. */
  async findHits(scope: PageScope, search: Search, paging: Paging): Promise<Page<SearchHit>> {
    const conditions = new Conditions();
    const query = searchQuery(scope, await this.prepare(search, [scope]), conditions);
    const list = { ...query, select: hitColumns(scope), values: conditions.values, isSearch: true };
    return this.queries.page<SearchHit>(list, paging.uncounted());
  }

  /** Returns milestones of any projects, whose list is of one project; the viewer sees them. */
  findMilestones(ids: readonly number[]): Promise<ListedMilestone[]> {
    return this.queries.searchRows<ListedMilestone>(MILESTONES_SQL, [ids]);
  }

  /** Returns the first few of each scope; none where searching takes too long. */
  async findFew(search: Search, limit: number): Promise<SearchHit[]> {
    const prepared = await this.prepare(search, PAGE_SCOPES);
    const found = await this.byStatement<SearchHit>((scopes, values) => {
      const parts = scopes.map((scope) => {
        const query = searchQuery(scope, prepared, new Conditions(values));
        values.push(...(query.joinValues ?? []));
        const top = `ORDER BY ${query.orderBy} LIMIT ${limit}`;
        return `(SELECT ${hitColumns(scope)} FROM ${fromSql(query, top)} ${query.joins ?? ''}
          WHERE ${query.where} ${top})`;
      });
      return parts.join(' UNION ALL ');
    });
    return found.flatMap((rows) => rows ?? []);
  }

  /** Counts each scope up to one more than `MAX_COUNT`. */
  async count(search: Search): Promise<SearchCounts> {
    const own = await this.findOwn(search, PAGE_SCOPES);
    const counted = await this.byStatement<Partial<SearchCounts>>((scopes, values) => {
      const parts = scopes.map((scope) => {
        const query = searchQuery(scope, { ...search, own }, new Conditions(values));
        const found = `SELECT FROM ${fromSql(query, '')} WHERE ${query.where} LIMIT ${MAX_COUNT + 1}`;
        return `(SELECT count(*)::int FROM (${found}) found) AS "${scope}"`;
      });
      return `SELECT ${parts.join(', ')}`;
    });
    const counts = Object.assign(
      {},
      ...counted.flatMap((rows) => rows ?? []),
    ) as Partial<SearchCounts>;
    const entries = PAGE_SCOPES.map((scope) => [scope, counts[scope] ?? null]);
    return Object.fromEntries(entries) as SearchCounts;
  }

  /** Adds the projects of the viewer, if they are few, and the prefix matches. */
  private async prepare(search: Search, scopes: readonly PageScope[]): Promise<Search> {
    const [own, prefixMatches] = await Promise.all([
      this.findOwn(search, scopes),
      this.findPrefixMatches(search, scopes),
    ]);
    return { ...search, own, prefixMatches };
  }

  /** Returns the projects whose alerts and errors the viewer can read, if these are searched. */
  private async findOwn({ viewer }: Search, scopes: readonly PageScope[]): Promise<OwnProjects> {
    const isBulk = scopes.some((scope) => BULK_SCOPES.includes(scope));
    if (viewer === null || viewer.admin || !isBulk) return {};
    const entries = await Promise.all(
      NAMED_ABILITIES.map(async (ability) => {
        const sql = ownProjectsWithSql(ability, '$1');
        return [ability, await this.queries.fewIds(sql, [viewer.id])] as const;
      }),
    );
    return Object.fromEntries(entries);
  }

  /** Returns nothing for kinds without an index for prefixes, nor for searches within a project or group. */
  private async findPrefixMatches(
    search: Search,
    scopes: readonly PageScope[],
  ): Promise<PrefixMatches> {
    const indexedScopes = PREFIX_SCOPES.filter((scope) => scopes.includes(scope));
    const { viewer, patterns, container } = search;
    const [pattern = ''] = patterns;
    if (indexedScopes.length === 0 || !isRanked(search) || container !== undefined) return {};
    const where = new Conditions();
    const sql = prefixMatchesSql(where, { scopes: indexedScopes, pattern, viewer });
    const rows = await this.queries.rows<{ scope: PageScope; id: number }>(sql, where.values);
    const idsOf = (scope: PageScope): number[] =>
      rows.filter((row) => row.scope === scope).map(({ id }) => id);
    return Object.fromEntries(indexedScopes.map((scope) => [scope, idsOf(scope)]));
  }

  /** Runs `STATEMENTS` at once; the rows of a bulk kind are null if it took too long. */
  private byStatement<Row>(
    textOf: (scopes: readonly PageScope[], values: unknown[]) => string,
  ): Promise<(Row[] | null)[]> {
    return Promise.all(
      STATEMENTS.map((scopes) => {
        const values: unknown[] = [];
        const text = textOf(scopes, values);
        return scopes.length === 1
          ? this.inTime<Row>(text, values)
          : this.dataSource.query<Row[]>(text, values);
      }),
    );
  }

  private async inTime<Row>(text: string, values: unknown[]): Promise<Row[] | null> {
    try {
      return await this.dataSource.transaction(async (manager) => {
        await manager.query(`SET LOCAL statement_timeout = ${MAX_BULK_MS}`);
        return manager.query<Row[]>(text, values);
      });
    } catch (error) {
      if ((error as { code?: unknown }).code === STATEMENT_TIMEOUT) return null;
      throw error;
    }
  }
}

function hitColumns(scope: PageScope): string {
  const { id, createdAt, hit } = SEARCH_KINDS[scope];
  return `'${scope}' AS scope, ${id} AS id, (${hit.title})::text AS title, (${hit.reference})::text AS reference,
    (${hit.place})::text AS place, ${hit.href} AS href, (${hit.state})::text AS state,
    (${hit.by})::text AS by,
    ${createdAt} AS "createdAt"`;
}
