import type { Viewer } from '../../core/access/auth-context.js';
import { EVENT_ACTIONS, EVENT_TARGETS } from '../../core/activity/event.entity.js';
import { Conditions } from '../../core/sql/conditions.js';
import {
  projectsWithRoles,
  rightsInAny,
  viewerValue,
  visibleEventSql,
} from './event-visibility.js';

const { pushed, commented, created, closed, merged, approved } = EVENT_ACTIONS;

/** Pushes and comments always count, the rest of issues and merge requests (reference, calendar). */
const IS_CONTRIBUTION = `e.action IN (${pushed}, ${commented})
  OR (e.action IN (${created}, ${closed}, ${merged}, ${approved})
    AND e.target_type IN (${EVENT_TARGETS.issue}, ${EVENT_TARGETS.merge_request}))`;

/** Returns the statement of a user's contributions by day since `start`, as the viewer sees them. */
export function contributionsStatement(
  userId: number,
  { viewer, start }: { viewer: Viewer | null; start: Date },
): { text: string; values: unknown[] } {
  const where = new Conditions();
  where.and(`e.author_id = ${where.value(userId)}`);
  where.and(`e.created_at >= ${where.value(start)}`);
  where.and(IS_CONTRIBUTION);
  const visible = visibleEventSql(where, rightsInAny(viewer));
  const projects = projectsWithRoles(viewerValue(where, viewer), {
    where: `NOT p.pending_delete
      AND p.id = ANY(ARRAY(SELECT DISTINCT e.project_id FROM contributions e))`,
  });
  return { text: statement({ events: where.toString(), projects, visible }), values: where.values };
}

/**
 * Groups pushes to a project on one day from the beginning; visibility of the other events is
 * decided per event, with the viewer's rights in its project at hand.
 */
function statement(parts: { events: string; projects: string; visible: string }): string {
  return `
    WITH contributions AS MATERIALIZED (
      SELECT (e.created_at AT TIME ZONE 'UTC')::date AS day, e.project_id, e.action, e.target_type,
        e.target_id, e.noteable_type, e.noteable_id, count(*)::int AS count
      FROM events e WHERE ${parts.events} GROUP BY 1, 2, 3, 4, 5, 6, 7)
    SELECT to_char(e.day, 'YYYY-MM-DD') AS day, sum(e.count)::int AS count
    FROM contributions e JOIN ${parts.projects} ON p.id = e.project_id
    WHERE ${parts.visible} GROUP BY e.day ORDER BY e.day`;
}
