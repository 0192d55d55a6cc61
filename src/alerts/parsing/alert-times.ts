/** Longest spelling that is looked at; every quantifier below is bounded, so time is, too. */
const LONGEST = 40;

/** RFC 3339 §5.6, with a blank for the T, seconds and zone optional, and zones without colon. */
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)? ?([Zz]|UTC|GMT|([+-])(\d\d)(?::?(\d\d))?(?: UTC)?)?$/;

const MS_PER_MINUTE = 60_000;
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Reads `2026-03-01T10:00:00.123456789+02:00`, `2026-03-01 10:00:00 UTC` and their like; UTC when
 * no offset is given. Null for anything else, and for times up to 1970 or beyond 9999: tools that
 * have no time send year 1 or the epoch instead.
 */
export function parseTime(value: unknown): Date | null {
  if (typeof value !== 'string' || value.length > LONGEST) return null;
  const parts = TIME.exec(value);
  if (parts === null) return null;
  const local = localMs(parts);
  const offset = offsetMinutes(parts);
  if (local === null || offset === null) return null;
  return dateWithin(local - offset * MS_PER_MINUTE);
}

/** An end time: as `parseTime`, or an integer of milliseconds since 1970. */
export function parseEndTime(value: unknown): Date | null {
  return Number.isInteger(value) ? dateWithin(value as number) : parseTime(value);
}

function dateWithin(ms: number): Date | null {
  return ms > 0 && ms <= LAST_MS ? new Date(ms) : null;
}

/** The instant as if the clock had shown UTC; null for a 30th of February or an hour 24. */
function localMs(parts: RegExpExecArray): number | null {
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const [hour, minute, second] = [Number(parts[4]), Number(parts[5]), Number(parts[6] ?? 0)];
  // Second 60 is a leap second (RFC 3339 §5.7), here the first of the next minute.
  if (hour > 23 || minute > 59 || second > 60) return null;
  // Date.UTC takes years below 100 for those of the last century.
  if (year < 1969) return null;
  const midnight = Date.UTC(year, month - 1, day);
  const date = new Date(midnight);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const ms = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  return midnight + (hour * 60 + minute) * MS_PER_MINUTE + second * 1000 + ms;
}

function offsetMinutes(parts: RegExpExecArray): number | null {
  if (parts[9] === undefined) return 0;
  const [hours, minutes] = [Number(parts[10]), Number(parts[11] ?? 0)];
  if (hours > 23 || minutes > 59) return null;
  return (parts[9] === '-' ? -1 : 1) * (hours * 60 + minutes);
}
