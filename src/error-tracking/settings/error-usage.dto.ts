import { toInteger } from '../../core/params/coerce.js';
import { declare } from '../../core/params/params.decorator.js';
import { MAX_USAGE_DAYS } from './error-usage.service.js';

/** Time span of the usage. */
export class ListUsageDto {
  /** Number of days (UTC), including today; 1 to 90, 30 by default. */
  @declare({ kind: 'integer' }, toInteger, checkDays)
  days?: number | null;
}

function checkDays(value: unknown): string | null {
  const days = value as number;
  return days < 1 || days > MAX_USAGE_DAYS ? 'has a value not allowed' : null;
}
