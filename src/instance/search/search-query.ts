import { InvalidParamsError } from '../../core/errors.js';
import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** Kinds of search results of the API. */
export const SEARCH_SCOPES = [
  'projects',
  'groups',
  'users',
  'issues',
  'merge_requests',
  'milestones',
  'snippet_titles',
] as const;
export type SearchScope = (typeof SEARCH_SCOPES)[number];

/** Kinds of search results of pages, in the order of the tabs. */
export const PAGE_SCOPES = [
  'projects',
  'groups',
  'users',
  'issues',
  'merge_requests',
  'alerts',
  'errors',
  'milestones',
  'snippet_titles',
] as const satisfies readonly (SearchScope | 'alerts' | 'errors')[];
export type PageScope = (typeof PAGE_SCOPES)[number];

/** Scopes that show nothing to anonymous viewers. */
export const SIGNED_IN_SCOPES: readonly PageScope[] = ['users', 'alerts', 'errors'];

/** Fewer characters find exact matches only: shorter parts have no entry in the index. */
export const MIN_TERM_LENGTH = 3;
/** The index has entries for letters and digits only. */
const INDEXED = /[\p{L}\p{N}]{3}/u;
export const MAX_SEARCH_LENGTH = 4_096;
const MAX_TERMS = 64;
const PHRASES_AND_WORDS = /"([^"]+)"|[^\s"]+/g;

/**
 * Returns the LIKE patterns of a search, all of which must match: words and "quoted phrases" of at
 * least three characters; without three letters or digits in a row, the whole text. Throws 400 for
 * too many.
 */
export function searchPatterns(search: string): string[] {
  const found = [...search.matchAll(PHRASES_AND_WORDS)];
  if (found.length > MAX_TERMS) {
    throw new InvalidParamsError([`search has too many terms (maximum is ${MAX_TERMS})`]);
  }
  const terms = found.map(([word, phrase]) => (phrase ?? word).trim());
  const long = [...new Set(terms.filter((term) => [...term].length >= MIN_TERM_LENGTH))];
  return long.some((term) => INDEXED.test(term))
    ? long.map((term) => `%${literal(term)}%`)
    : [literal(search.trim())];
}

/** Returns false if the search finds only what is exactly equal. */
export function isLongEnough(search: string): boolean {
  return searchPatterns(search)[0]?.startsWith('%') === true;
}

function literal(term: string): string {
  return term.replace(/[\\%_]/g, '\\$&');
}

const STATES = ['opened', 'closed', 'merged', 'all'] as const;

/** Query parameters of a search. */
export class SearchDto {
  /**
   * Words and "quoted phrases" that names and titles must all contain. What is shorter than three
   * characters finds only what is equal.
   */
  @TextParam({ required: true, allowEmpty: false, maxLength: MAX_SEARCH_LENGTH })
  search!: string;

  /** Kind of objects to search. */
  @TextParam({ required: true, values: SEARCH_SCOPES })
  scope!: SearchScope;

  /** Only issues or merge requests in this state. */
  @TextParam({ values: STATES })
  state?: (typeof STATES)[number] | null;

  /** Only confidential issues, or only others. */
  @BooleanParam()
  confidential?: boolean | null;

  /** Sort column; names that begin like the search come first by default, else what is newest. */
  @TextParam({ values: ['created_at'] })
  order_by?: 'created_at' | null;

  /** Direction of the order, `desc` by default. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}
