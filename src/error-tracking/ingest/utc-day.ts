const DAY_MS = 86_400_000;

/** The day (UTC) of a time, or one so many days later, as `YYYY-MM-DD`. */
export function utcDay(time: Date, daysLater = 0): string {
  return new Date(time.getTime() + daysLater * DAY_MS).toISOString().slice(0, 10);
}
