import type { Viewer } from '../../../core/access/viewer.js';
import type { Conditions } from '../../../core/sql/conditions.js';
import { PROJECT_ABILITIES, type ProjectAbility } from '../../../identity/members/abilities.js';
import { ROLES } from '../../../identity/members/roles.js';
import { ownProjectsSql } from '../../../identity/members/sql/access.js';

/** Projects in which the viewer has an ability as a member, as far as they are few. */
export type OwnProjects = Partial<Record<ProjectAbility, readonly number[] | null>>;

/** The abilities whose projects are looked up before the search: their texts are too many to compare. */
export const NAMED_ABILITIES = ['read_alert', 'read_error'] as const;

/** Returns the select of the ids of these projects; `user` is a placeholder. */
export function ownProjectsWithSql(ability: ProjectAbility, user: string): string {
  return ownProjectsSql(user, String(ROLES[PROJECT_ABILITIES[ability]]));
}

/**
 * Condition that names the projects of members with the role, so that few texts are compared. Only
 * from their ids PostgreSQL can tell whether few or most of the texts belong to them.
 */
export const hasAbility =
  (ability: ProjectAbility, projectId: string) =>
  (where: Conditions, viewer: Viewer | null, own: OwnProjects): string => {
    if (viewer === null) return 'false';
    if (viewer.admin) return 'NOT p.pending_delete';
    const few = own[ability];
    const ids = few
      ? `${where.value(few)}::bigint[]`
      : `ARRAY(${ownProjectsWithSql(ability, where.value(viewer.id))})`;
    return `NOT p.pending_delete AND ${projectId} = ANY(${ids})`;
  };
