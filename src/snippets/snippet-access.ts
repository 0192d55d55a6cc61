import type { Viewer } from '../core/access/viewer.js';
import { ForbiddenError } from '../core/errors.js';
import type { Conditions } from '../core/sql/conditions.js';
import { canInProject } from '../members/abilities.js';
import { authorizedProjectSql } from '../members/sql/access.js';
import { ROLES } from '../members/roles.js';
import { VISIBILITY } from '../members/visibility.js';
import type { FoundSnippet } from './snippet-row.js';

/**
 * SQL for "the asker may see this snippet", over the tables of `SNIPPET_TABLES`.
 *
 * Personal: its visibility, and always its author. Of a project: whoever sees the project sees
 * what is open to them, members and (while they see the project) the author all of it; nobody
 * when the project has snippets turned off. Administrators see everything but what is being
 * deleted.
 */
export function visibleSnippetSql(conditions: Conditions, viewer: Viewer | null): string {
  return `NOT s.pending_delete AND (${openSnippetSql(conditions, viewer)})`;
}

function openSnippetSql(conditions: Conditions, viewer: Viewer | null): string {
  if (viewer?.admin === true) return 's.project_id IS NULL OR NOT p.pending_delete';
  const open = openLevels(viewer);
  if (viewer === null) {
    return `s.visibility IN (${open}) AND (s.project_id IS NULL
      OR (p.visibility IN (${open}) AND p.snippets_enabled AND NOT p.pending_delete))`;
  }
  const me = conditions.value(viewer.id);
  return `CASE WHEN s.project_id IS NULL THEN s.visibility IN (${open}) OR s.author_id = ${me}
    ELSE NOT p.pending_delete AND p.snippets_enabled AND (
      (p.visibility IN (${open}) AND (s.visibility IN (${open}) OR s.author_id = ${me}))
      OR ${authorizedProjectSql(me, String(ROLES.guest))}) END`;
}

/** Levels that the asker sees without any membership; external users see no internal ones. */
function openLevels(viewer: Viewer | null): string {
  const isInsider = viewer !== null && !viewer.external;
  return isInsider ? `${VISIBILITY.internal}, ${VISIBILITY.public}` : `${VISIBILITY.public}`;
}

/** 403 unless the asker, who sees the snippet, may also change and delete it. */
export function assertMayChange(snippet: FoundSnippet, viewer: Viewer): void {
  if (!mayChange(snippet, viewer)) throw new ForbiddenError();
}

/** Whether the asker, who sees the snippet, may change it: its author, in projects Maintainers too. */
export function mayChange(
  snippet: Pick<FoundSnippet, 'projectArchived' | 'authorId' | 'projectId' | 'accessLevel'>,
  viewer: Viewer,
): boolean {
  // An archived project is read-only for everyone.
  if (snippet.projectArchived === true) return false;
  if (viewer.admin || snippet.authorId === viewer.id) return true;
  if (snippet.projectId === null) return false;
  const { accessLevel } = snippet;
  return canInProject('admin_snippet', { visibility: VISIBILITY.private, accessLevel, viewer });
}
