const MINUTE = 60_000;
const DAY = 86_400_000;

/** A clock that is wrong by less is right enough. */
const TOLERATED_DRIFT = 5 * MINUTE;
const TOLERATED_FUTURE = MINUTE;
const OLDEST = 30 * DAY;

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|z|UTC|[+-]\d\d:?\d\d)?$/;

/**
 * An instant as SDKs write it: seconds since 1970 as a number or a text, or RFC 3339, which is UTC
 * when it names no zone. Null for anything else.
 */
export function instantOf(value: unknown): Date | null {
  if (typeof value === 'number') return validDate(value * 1_000);
  if (typeof value !== 'string' || value.length > 64) return null;
  const text = value.trim();
  if (/^\d{1,15}(?:\.\d+)?$/.test(text)) return validDate(Number(text) * 1_000);
  const [, day, time, zone = 'Z'] = DATE_TIME.exec(text) ?? [];
  if (day === undefined || time === undefined) return null;
  const offset = /^[+-]/.test(zone) ? zone : 'Z';
  return validDate(Date.parse(`${day}T${time}${offset}`));
}

/**
 * When the event happened: the program's clock put right by when it sent the event, and the time
 * of arrival for what lies in the future, more than 30 days back, or is no time at all.
 */
export function occurrenceOf(
  timestamp: unknown,
  { sentAt, receivedAt }: { sentAt: Date | null; receivedAt: Date },
): Date {
  const claimed = instantOf(timestamp);
  if (claimed === null) return receivedAt;
  const drift = sentAt === null ? 0 : receivedAt.getTime() - sentAt.getTime();
  const corrected = claimed.getTime() + (Math.abs(drift) > TOLERATED_DRIFT ? drift : 0);
  const age = receivedAt.getTime() - corrected;
  return age < -TOLERATED_FUTURE || age > OLDEST ? receivedAt : new Date(corrected);
}

function validDate(milliseconds: number): Date | null {
  const date = new Date(Math.round(milliseconds));
  return Number.isNaN(date.getTime()) ? null : date;
}
