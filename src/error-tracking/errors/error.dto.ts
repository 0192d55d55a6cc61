import { INVALID, toText } from '../../core/params/coerce.js';
import {
  BooleanParam,
  IntegerParam,
  ListParam,
  TextParam,
  declare,
} from '../../core/params/params.decorator.js';
import { ERROR_STATUSES, type ErrorStatus } from '../error-values.js';
import { ERROR_SORTS, type ErrorFilters, type ErrorSort } from '../sql/error-list.js';
import { StatusConditionDto } from './status-condition.dto.js';

/** Tags and the values that are looked for. */
type WantedTags = Record<string, string>;

interface Excluded {
  environment: string | null;
  release: string | null;
  tags: WantedTags | null;
}

/** Each is a separate condition; more would make lists slow. */
const MAX_TAGS = 20;

/** Tags and their wanted values: `tags[key]=value`. Absent stays absent. */
function TagsParam(): PropertyDecorator {
  return declare({ kind: 'hash', of: 'text', asSent: true }, asSent(toTags), (tags) =>
    refusalOf(tags as WantedTags),
  );
}

/** Excluded values: `not[environment]=value`, `not[tags][key]=value`; `type` describes them. */
function ExcludedParam(type: () => new () => object): PropertyDecorator {
  return declare({ kind: 'hash', type, asSent: true }, asSent(toExcluded), (excluded) => {
    const { environment, release, tags } = excluded as Excluded;
    const names = [environment, release].flatMap((name) => name ?? []);
    return isReadable(names) ? refusalOf(tags ?? {}) : 'is invalid';
  });
}

/** Keeps keys such as `constructor`, which the parser drops. */
function asSent(coerce: (raw: unknown) => unknown): (text: unknown) => unknown {
  return (text) => coerce(JSON.parse(text as string));
}

function toTags(raw: unknown): unknown {
  if (raw === null || raw === '') return null;
  if (!isHash(raw)) return INVALID;
  const entries = Object.entries(raw).map(([key, value]) => [key, toText(value)] as const);
  const isText = entries.every(([, value]) => typeof value === 'string');
  return isText ? Object.fromEntries(entries) : INVALID;
}

function toExcluded(raw: unknown): unknown {
  if (raw === null || raw === '') return null;
  if (!isHash(raw)) return INVALID;
  const excluded = {
    environment: toText(raw['environment'] ?? null),
    release: toText(raw['release'] ?? null),
    tags: toTags(raw['tags'] ?? null),
  };
  return Object.values(excluded).includes(INVALID) ? INVALID : excluded;
}

function refusalOf(tags: WantedTags): string | null {
  const entries = Object.entries(tags);
  if (!isReadable(entries.flat())) return 'is invalid';
  return entries.length > MAX_TAGS ? 'has a value not allowed' : null;
}

/** PostgreSQL has no text with NUL in it. */
function isReadable(texts: readonly string[]): boolean {
  return !texts.some((text) => text.includes('\0'));
}

function isHash(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Values that the errors of a list never had. */
class ExcludedErrorsDto {
  /**
   * No events from this environment.
   * @example staging
   */
  @TextParam()
  environment?: string | null;

  /**
   * No events from this release.
   * @example lathe@1.4.0
   */
  @TextParam()
  release?: string | null;

  /**
   * No events with one of these tags and values.
   * @example {"browser": "Firefox"}
   */
  @TagsParam()
  tags?: WantedTags | null;
}

/** Filters and order of the errors of a project. */
export class ListErrorsDto {
  /** Only errors with this status; `unresolved` by default, `all` for every status. */
  @TextParam({ values: [...ERROR_STATUSES, 'all'] })
  status?: ErrorStatus | 'all' | null;

  /**
   * Words to find in type, message, culprit or functions of the stack; all must match,
   * case-insensitive.
   */
  @TextParam()
  search?: string | null;

  /**
   * Only errors with an event from this environment.
   * @example production
   */
  @TextParam()
  environment?: string | null;

  /**
   * Only errors with an event from this release.
   * @example lathe@1.5.2
   */
  @TextParam()
  release?: string | null;

  /**
   * Only errors with events that have these tags and values.
   * @example {"browser": "Firefox"}
   */
  @TagsParam()
  tags?: WantedTags | null;

  /**
   * Only errors without any such event.
   * @example {"environment": "staging"}
   */
  @ExcludedParam(() => ExcludedErrorsDto)
  not?: ExcludedErrorsDto | null;

  /** Sort column; `last_seen` by default. */
  @TextParam({ values: ERROR_SORTS })
  order_by?: ErrorSort | null;

  /** `desc` by default: the latest or most frequent ones first. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}

/** Returns the filters of a request. */
export function filtersOf(dto: ListErrorsDto): ErrorFilters {
  const { environment, release, tags } = dto.not ?? {};
  const excludedTags = Object.entries(tags ?? {});
  if (environment) excludedTags.push(['environment', environment]);
  if (release) excludedTags.push(['release', release]);
  return {
    status: dto.status === 'all' ? null : (dto.status ?? 'unresolved'),
    search: dto.search ?? null,
    environment: dto.environment ?? null,
    release: dto.release ?? null,
    tags: Object.entries(dto.tags ?? {}),
    excludedTags,
    sort: dto.order_by ?? null,
    direction: dto.sort ?? null,
  };
}

/** Trends are kept as long as errors without new events. */
const MAX_DAYS = 365;

/** Time span of a trend. */
export class ErrorTrendDto {
  /** Number of days up to today (UTC); 30 by default, at most 365. */
  @IntegerParam({ min: 1 })
  days?: number | null;
}

/** Returns the requested days of the trend. */
export function daysOf({ days }: ErrorTrendDto): number {
  return Math.min(days ?? 30, MAX_DAYS);
}

/** New attributes of an error. */
export class UpdateErrorDto extends StatusConditionDto {
  /**
   * `resolved` also closes the issue of the error; later events reopen the error. Required without
   * `assignee_id`.
   */
  @TextParam({ values: ERROR_STATUSES })
  status?: ErrorStatus | null;

  /** ID of a user who can read the errors of the project; 0 clears the assignee. */
  @IntegerParam()
  assignee_id?: number | null;
}

/** New attributes of several errors. */
export class UpdateErrorsDto extends StatusConditionDto {
  /** `resolved` also closes the issues of the errors; later events reopen the errors. */
  @TextParam({ required: true, values: ERROR_STATUSES })
  status: ErrorStatus;

  /** IDs of errors of the project; others are ignored. */
  @ListParam({ required: true, of: 'integer', commaSeparated: true })
  error_ids: number[];
}

/** POST of an error's issue. */
export class OpenErrorIssueDto {
  /** Number of an issue of the project to link instead of creating one. */
  @IntegerParam()
  issue_iid?: number | null;

  /** Title of the new issue, at most 255 characters; that of the error by default. */
  @TextParam()
  title?: string | null;

  /**
   * Creates a confidential issue, as errors are visible to members only. Defaults to true in
   * projects that others can see.
   */
  @BooleanParam()
  confidential?: boolean | null;
}
