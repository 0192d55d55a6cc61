import type { Viewer } from '../../../core/access/auth-context.js';
import type { Conditions } from '../../../core/sql/conditions.js';
import { PROJECT_ABILITIES, type ProjectAbility } from '../../../identity/members/abilities.js';
import { ROLES } from '../../../identity/members/roles.js';
import { authorizedProjectSql, ownProjectsSql } from '../../../identity/members/sql/access.js';

/** Projects in which the viewer has an ability as a member, as far as they are few. */
export type OwnProjects = Partial<Record<ProjectAbility, readonly number[] | null>>;

/** The abilities whose projects are looked up before the search: their texts are too many to compare. */
export const NAMED_ABILITIES = ['read_alert', 'read_error'] as const;

/** Returns the select of the ids of these projects; `user` is a placeholder. */
export function ownProjectsWithSql(ability: ProjectAbility, user: string): string {
  return ownProjectsSql(user, levelOf(ability));
}

function levelOf(ability: ProjectAbility): string {
  return String(ROLES[PROJECT_ABILITIES[ability]]);
}

/**
 * Condition for the projects of members with the role. Few are named, so that few texts are
 * compared: from their ids PostgreSQL can tell how many texts belong to them. Ids that were read
 * before can be outdated: the membership is asked for in any case. Many are not named, and the
 * membership is inside of coalesce: PostgreSQL would underestimate its rows, but assumes that half of
 * the projects meet a condition it cannot see through, and then reads texts in their order.
 */
export const hasAbility =
  (ability: ProjectAbility, projectId: string) =>
  (where: Conditions, viewer: Viewer | null, own: OwnProjects): string => {
    if (viewer === null) return 'false';
    if (viewer.admin) return 'NOT p.pending_delete';
    const few = own[ability];
    const me = where.value(viewer.id);
    const isMember = authorizedProjectSql(me, levelOf(ability));
    const isNamed = few
      ? `${projectId} = ANY(${where.value(few)}::bigint[]) AND (${isMember})`
      : `coalesce(${isMember}, false)`;
    return `NOT p.pending_delete AND ${isNamed}`;
  };
