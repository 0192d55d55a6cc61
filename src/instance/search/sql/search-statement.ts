import type { Viewer } from '../../../core/access/auth-context.js';
import { type Conditions, similaritySql } from '../../../core/sql/conditions.js';
import type { ListQuery } from '../../../core/sql/list-query.js';
import type { PageScope } from '../search-query.js';
import type { PrefixMatches } from './prefix-matches.js';
import type { OwnProjects } from './own-projects.js';
import { type Kind, SEARCH_KINDS, type SearchContainer } from './search-kinds.js';

/** A search as its statements see it. */
export interface Search {
  /** LIKE patterns that a name or title must match; one at least. */
  patterns: readonly string[];
  viewer: Viewer | null;
  /** Projects of the viewer; looked up for each search of the repository. */
  own?: OwnProjects;
  /** Prefix matches, which rank before other results; without them all results are ranked. */
  prefixMatches?: PrefixMatches;
  container?: SearchContainer | undefined;
  /** Of issues and merge requests. */
  state?: string | null | undefined;
  confidential?: boolean | null | undefined;
  /** By the time of creation; the best come first unless given. */
  direction?: 'asc' | 'desc' | undefined;
}

/** A list without `values`, which are those of its conditions and then `joinValues`. */
type SearchQuery = Omit<ListQuery, 'values'>;

/** More projects are not read one by one: each of them can look for a rare word in the whole index. */
const MOST_ONE_BY_ONE = 100;

/**
 * Adds the conditions of a kind and returns the parts of its list; the values are in `where`, which
 * other parts of the same statement can have begun.
 */
export function searchQuery(scope: PageScope, search: Search, where: Conditions): SearchQuery {
  const kind = SEARCH_KINDS[scope];
  const { patterns, viewer, own = {}, container, direction } = search;
  const values = patterns.map((pattern) => where.value(pattern));
  const match = values.map((value) => matchSql(kind, value)).join(' AND ');
  where.and(match);
  where.and(kind.visible(where, viewer, own));
  if (container !== undefined) where.and(kind.within(where, container));
  addFilters(scope, search, where);
  const order = direction === 'asc' ? 'ASC' : 'DESC';
  const byId = `${kind.id} ${order}`;
  const byTime = kind.order === 'id' ? byId : `${kind.createdAt} ${order}, ${byId}`;
  const { from, joins = '' } = kind;
  const list = { select: kind.id, from, joins, where: where.toString(), orderBy: byTime };
  if (kind.order === 'rank' && isRanked(search)) {
    const rank = similaritySql(values[0] ?? '', kind.searched);
    const prefixMatches = search.prefixMatches?.[scope];
    if (prefixMatches === undefined) return { ...list, orderBy: `${rank}, ${byTime}` };
    if (prefixMatches.length > 0) return prefixMatchesFirst(kind, { where, rank, prefixMatches });
  }
  const { latest } = kind;
  const few = latest === undefined || direction === 'asc' ? null : own[latest.ability];
  if (latest === undefined || !few || few.length > MOST_ONE_BY_ONE) return list;
  const projects = nextPlaceholder(where);
  const latestOfEach = (top: string): string =>
    latestSql({ from, latest }, { match, projects, top });
  return { ...list, from: (top) => (top === '' ? from : latestOfEach(top)), joinValues: [few] };
}

/** Returns false for exact searches and for those sorted by time. */
export function isRanked({ patterns, direction }: Search): boolean {
  return direction === undefined && patterns[0]?.startsWith('%') === true;
}

function matchSql({ searched, isLowerCase }: Kind, pattern: string): string {
  const match = isLowerCase === true ? `LIKE lower(${pattern})` : `ILIKE ${pattern}`;
  return `(${searched.map((column) => `${column} ${match}`).join(' OR ')})`;
}

function nextPlaceholder({ values }: Conditions): string {
  return `$${values.length + 1}`;
}

/** Ranks the prefix matches only; other results follow from an index, newest first. */
function prefixMatchesFirst(
  { from, joins = '', id, createdAt }: Kind,
  parts: { where: Conditions; rank: string; prefixMatches: readonly number[] },
): SearchQuery {
  const ids = `${nextPlaceholder(parts.where)}::bigint[]`;
  const where = parts.where.toString();
  const found = (rank: string, condition: string): string =>
    `SELECT ${id} AS id, ${rank} AS rank, ${createdAt} AS created_at FROM ${from}
      WHERE ${where} AND ${condition}`;
  const ranked = (top: string): string => `(SELECT * FROM (
      ${found(parts.rank, `${id} = ANY(${ids})`)}
      UNION ALL (SELECT * FROM (${found('3', `${id} <> ALL(${ids})`)}) found ${top})
    ) found ${top}) found JOIN ${from} ON ${id} = found.id`;
  return {
    select: id,
    from: (top) => (top === '' ? `(SELECT FROM ${from} WHERE ${where}) found` : ranked(top)),
    joins,
    where: 'true',
    orderBy: 'found.rank, found.created_at DESC, found.id DESC',
    joinValues: [parts.prefixMatches],
  };
}

/** Returns the FROM part that reads projects one by one: the latest of few can be the oldest of all. */
function latestSql(
  { from, latest: { table, alias, order } }: Required<Pick<Kind, 'from' | 'latest'>>,
  { match, projects, top }: { match: string; projects: string; top: string },
): string {
  const limit = top.slice(top.lastIndexOf('LIMIT'));
  const rows = `unnest(${projects}::bigint[]) AS named (id) CROSS JOIN LATERAL (
    SELECT * FROM ${table} ${alias} WHERE ${alias}.project_id = named.id AND ${match}
    ORDER BY ${order} ${limit}) ${alias}`;
  return from.replace(`${table} ${alias}`, () => rows);
}

const ALIASES: Partial<Record<PageScope, string>> = { issues: 'i', merge_requests: 'r' };

/** States that a scope does not have, and filters that it does not know, do not count. */
function addFilters(scope: PageScope, search: Search, where: Conditions): void {
  const { state, confidential } = search;
  const alias = ALIASES[scope];
  if (alias !== undefined && state && state !== 'all') {
    where.and(`${alias}.state = ${where.value(state)}`);
  }
  if (scope === 'issues' && typeof confidential === 'boolean') {
    where.and(confidential ? 'i.confidential' : 'NOT i.confidential');
  }
}
