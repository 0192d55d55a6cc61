import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';

/** Path that takes the preferences that are set from the frame of any page. */
export const APPEARANCE_PATH = '/-/user_settings/preferences/appearance';

const NAME = '_svc_preferences';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Values that each preference can have; the first is the default. */
export const PREFERENCES = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
  sidebar: ['open', 'collapsed'],
  home: ['dashboard', 'projects', 'groups', 'activity'],
  /** Empty = that of the browser, and UTC without a script. */
  time_zone: [...new Set(['', 'UTC', ...Intl.supportedValuesOf('timeZone')])],
} as const satisfies Record<string, readonly string[]>;

type Name = keyof typeof PREFERENCES;

/** Appearance preferences in a cookie, so that the server renders pages accordingly. */
export type Preferences = { [N in Name]: (typeof PREFERENCES)[N][number] };

const HOME_PATHS: Record<Preferences['home'], string> = {
  dashboard: '/',
  projects: '/dashboard/projects',
  groups: '/dashboard/groups',
  activity: '/dashboard/activity',
};

/** Returns the path of the page that the name of the product leads to. */
export function homePath(preferences?: Preferences): string {
  return HOME_PATHS[preferences?.home ?? 'dashboard'];
}

/** Returns the preferences of the browser that sent the request. */
export function preferencesOf(request: Request): Preferences {
  const cookie = parseCookie(request.headers.cookie ?? '')[NAME] ?? '';
  return withPreferences(Object.fromEntries(new URLSearchParams(cookie)));
}

/** Returns `current` with the valid values of `given`; the defaults without `current`. */
export function withPreferences(
  given: Record<string, unknown>,
  current?: Preferences,
): Preferences {
  const entries = Object.entries(PREFERENCES).map(([name, values]) => {
    const sent = values.find((value) => value === given[name]);
    return [name, sent ?? current?.[name as Name] ?? values[0]];
  });
  return Object.fromEntries(entries) as Preferences;
}

/** Returns the header that keeps the preferences in the browser. */
export function preferencesCookie(preferences: Preferences, secure: boolean): string {
  return stringifySetCookie(NAME, new URLSearchParams({ ...preferences }).toString(), {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: YEAR_SECONDS,
  });
}
