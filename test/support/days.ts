export const DAY_MS = 86_400_000;

/** The day as many days from today, as the API writes it. */
export function day(offset: number): string {
  return new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
}

/** The same time yesterday. */
export function yesterday(): Date {
  return new Date(Date.now() - DAY_MS);
}
