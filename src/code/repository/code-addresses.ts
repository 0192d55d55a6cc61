import { encodePath } from '../../core/http/encode-path.js';
import type { ResponseContext } from '../../core/response-context.js';
import { fullPathOf, type ProjectRow } from '../../workspace/projects/projects.repository.js';

/** A project as far as addresses of its pages go. */
export type CodePageContext = Pick<ProjectRow, 'path' | 'namespace'>;

/** Page of a commit. */
export function commitUrl(
  place: CodePageContext,
  id: string,
  { baseUrl }: ResponseContext,
): string {
  return `${baseUrl}/${fullPathOf(place)}/-/commit/${id}`;
}

/** Page of the files at a branch. */
export function treeUrl(place: CodePageContext, ref: string, { baseUrl }: ResponseContext): string {
  return `${baseUrl}/${fullPathOf(place)}/-/tree/${encodePath(ref)}`;
}

/** Page that compares two revisions. */
export function compareUrl(
  place: CodePageContext,
  { from, to }: { from: string; to: string },
  { baseUrl }: ResponseContext,
): string {
  const query = new URLSearchParams({ from, to });
  return `${baseUrl}/${fullPathOf(place)}/-/compare?${query.toString()}`;
}
