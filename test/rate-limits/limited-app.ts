import { Clock } from '../../src/core/clock.js';
import type { Settings } from '../../src/core/settings/settings.js';
import { startTestApp, type OwnTestApp, type TestAppOptions } from '../support/app.js';
import { changeSettings } from '../support/settings.js';

/** Ten seconds into every window, where it stays: no test sees one end. */
export const FIXED_CLOCK: Clock = { now: () => new Date(Date.UTC(2031, 0, 1, 12, 0, 10)) };

/** An application that limits requests, each setting as given, everything else by default. */
export async function startLimitedApp(
  settings: Partial<Settings> = {},
  options: TestAppOptions = {},
): Promise<OwnTestApp> {
  const app = await startTestApp({
    override: (builder) => builder.overrideProvider(Clock).useValue(FIXED_CLOCK),
    ...options,
    env: { RATE_LIMITS: 'on', ...options.env },
  });
  await changeSettings(app, settings);
  return app;
}

let addresses = 0;

/** An address that no other test of the file sends from; its requests are counted apart. */
export function newAddress(): string {
  addresses += 1;
  return `203.0.113.${addresses}`;
}

/** The limit headers of an answer as numbers, by their last word. */
export function tallyOf(headers: Record<string, string>): Record<string, string | number> {
  const names = ['name', 'limit', 'observed', 'remaining', 'reset', 'resettime'];
  const present = names.filter((name) => headers[`ratelimit-${name}`] !== undefined);
  const valueOf = (name: string): string | number => {
    const text = headers[`ratelimit-${name}`] ?? '';
    return /^\d+$/.test(text) ? Number(text) : text;
  };
  return Object.fromEntries(present.map((name) => [name, valueOf(name)]));
}
