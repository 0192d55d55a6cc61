import { InvalidParamsError } from '../../../../core/errors.js';
import { TextParam } from '../../../../core/params/params.decorator.js';
import { filledAddress } from '../../../../core/ui/addresses.js';
import type { pagingParams } from '../../../../core/ui/components/list.js';
import { addressOfTerms } from '../../../../core/ui/filter-terms.js';
import { ERROR_STATUSES, type ErrorStatus } from '../../../error-values.js';
import {
  ERROR_SORTS,
  type ErrorFilters,
  type ErrorSort,
  type TagFilter,
} from '../../../sql/error-list.js';

/** Tabs of the list. */
export const ERROR_TABS = [...ERROR_STATUSES, 'all'] as const;
export type ErrorTab = (typeof ERROR_TABS)[number];

/** Orders of the list, by the value of `sort`. */
export const LIST_ORDERS: Record<ErrorSort, string> = {
  last_seen: 'Last seen first',
  first_seen: 'Newest first',
  frequency: 'Most events first',
};

const MAX_SEARCH_LENGTH = 200;
/** A key, a colon, and a value. */
const MAX_TAG_LENGTH = 240;

/** Query parameters of the error list. */
export class ErrorsPageDto {
  @TextParam({ values: ERROR_TABS })
  status?: ErrorTab | null;

  @TextParam({ maxLength: MAX_SEARCH_LENGTH })
  search?: string | null;

  @TextParam({ maxLength: MAX_SEARCH_LENGTH })
  environment?: string | null;

  @TextParam({ maxLength: MAX_SEARCH_LENGTH })
  release?: string | null;

  /** `key:value`; the value can hold further colons. */
  @TextParam({ maxLength: MAX_TAG_LENGTH })
  tag?: string | null;

  @TextParam({ values: ERROR_SORTS })
  sort?: ErrorSort | null;
}

/** Filters of the request, with '' for those that are missing. */
export interface ErrorsQuery {
  status: ErrorTab;
  search: string;
  environment: string;
  release: string;
  tag: string;
  sort: ErrorSort;
}

/** Returns the query with the page's defaults. */
export function errorsQuery(dto: ErrorsPageDto): ErrorsQuery {
  return {
    status: dto.status ?? 'unresolved',
    search: dto.search ?? '',
    environment: dto.environment ?? '',
    release: dto.release ?? '',
    tag: dto.tag ?? '',
    sort: dto.sort ?? 'last_seen',
  };
}

/** Returns the filters of the query; throws 400 for a tag without a value. */
export function filtersOf(query: ErrorsQuery): ErrorFilters {
  const { status, search, environment, release, tag, sort } = query;
  const wanted: ErrorStatus | null = status === 'all' ? null : status;
  const tags = tag === '' ? [] : [tagOf(tag)];
  return { status: wanted, search, environment, release, tags, sort };
}

/** Returns true if the list is filtered by more than a status. */
export function isNarrowed({ search, environment, release, tag }: ErrorsQuery): boolean {
  return [search, environment, release, tag].some((one) => one !== '');
}

/** An address of the list with this query, or with some of it. */
export function errorsAddress(
  path: string,
  query: Partial<ErrorsQuery> & Partial<ReturnType<typeof pagingParams>>,
): string {
  return filledAddress(path, query);
}

function tagOf(text: string): TagFilter {
  const colon = text.indexOf(':');
  if (colon <= 0) throw new InvalidParamsError(['tag is invalid']);
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}

/** Returns the address with the typed terms (`release:1.2 is:resolved`) as parameters; null without any. */
export function addressOfTyped(path: string, query: Record<string, unknown>): string | null {
  const statuses = ERROR_TABS.map((status) => [status, { status }]);
  return addressOfTerms(path, query, {
    names: ['environment', 'release', 'tag'],
    is: Object.fromEntries(statuses) as Record<string, { status: string }>,
  });
}
