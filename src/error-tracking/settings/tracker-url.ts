import type { ValidationMessages } from '../../core/errors.js';
import { isPublicHost } from './public-host.js';

const MAX_URL = 255;

/** Where the API of the common trackers has its projects. */
const PROJECTS = 'api/0/projects/';
const PROJECT_PATH = /^\/api\/0\/projects\/([^/]+)\/([^/]+)\/?$/;

/**
 * Returns the problems of a project's API URL in an external tracker, by attribute. Pages link to
 * the URL, so it must be safe as a link.
 */
export function trackerUrlProblems(url: string): ValidationMessages {
  if (url.length > MAX_URL) {
    return { api_url: [`is too long (maximum is ${MAX_URL} characters)`] };
  }
  const { pathname } = webAddress(url) ?? {};
  if (!pathname?.startsWith('/api/0/projects')) return { api_url: ['is invalid'] };
  return PROJECT_PATH.test(pathname) ? {} : { project: ['is a required field'] };
}

/** Printable ASCII without what could end an attribute of HTML, and without credentials. */
function webAddress(url: string): URL | null {
  if (!/^https?:\/\/[!#-&(-;=?-[\]-~]+$/i.test(url) || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  const hasUser = parsed.username !== '' || parsed.password !== '';
  return hasUser || !isPublicHost(parsed.hostname) ? null : parsed;
}

/** Web URL of the project in the external tracker. */
export function trackerExternalUrl(apiUrl: string): string {
  return apiUrl.replace(PROJECTS, '');
}

/** Returns the project name from its slug in the external tracker: `my-shop` → `My Shop`. */
export function projectNameFrom(apiUrl: string): string | null {
  const slug = URL.canParse(apiUrl) ? PROJECT_PATH.exec(new URL(apiUrl).pathname)?.[2] : undefined;
  if (slug === undefined) return null;
  const words = slug.split(/[-_]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
