import { INVALID } from '../../core/params/coerce.js';
import { declare, type ParamOptions } from '../../core/params/params.decorator.js';

const DAY =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * A day, kept as `YYYY-MM-DD`: leading zeros may be missing, and of a time only the day counts, as
 * v4 has it. The empty text counts as not given.
 */
export function DayParam(options: ParamOptions = {}): PropertyDecorator {
  return declare({ kind: 'date', ...options }, toDay, () => null);
}

/** A day that exists in the calendar, or INVALID. */
export function toDay(value: unknown): unknown {
  if (value === '' || value === null) return null;
  const [, year = '', month = '', day = ''] =
    typeof value === 'string' ? (DAY.exec(value) ?? []) : [];
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  return exists ? text : INVALID;
}
