import { oneLine } from './mail-text.js';

/** RFC 2919 §2: a list's identifier has no more characters. */
const MAX_LIST_ID_LENGTH = 255;

/** Headers of every mail that a project is the reason for, by which people filter. */
export function projectHeaders(
  project: { id: number; name: string; path: string },
  host: string,
): Record<string, string> {
  return {
    'List-Id': `${oneLine(project.path)} <${listId(project, host)}>`,
    'X-Svc-Project': oneLine(project.name),
    'X-Svc-Project-Id': String(project.id),
    'X-Svc-Project-Path': oneLine(project.path),
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
  };
}

/**
 * A host name that stands for the project, its inmost part first. What is too long is cut at a dot,
 * which two dots tell.
 */
export function listId({ id, path }: { id: number; path: string }, host: string): string {
  const names = path.toLowerCase().split('/').reverse();
  const domain = names.map((name) => name.replace(/[^a-z0-9]/g, '-')).join('.');
  const room = MAX_LIST_ID_LENGTH - host.length - String(id).length - '..'.length;
  if (domain.length <= room) return `${id}.${domain}.${host}`;
  const start = domain.slice(0, Math.max(room - 1, 0));
  const dot = start.lastIndexOf('.');
  const kept = dot === -1 ? start.slice(0, -1) : start.slice(0, dot);
  return `${id}.${kept}...${host}`;
}
