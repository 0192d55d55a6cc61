import type { Viewer } from '../core/access/viewer.js';
import type { Conditions } from '../core/sql/conditions.js';
import { anyOf } from '../core/sql/logic.js';
import { canInProject, PROJECT_ABILITIES, type ProjectAbility } from '../members/abilities.js';
import { authorizedProjectSql } from '../members/authorized-sql.js';
import { NO_ACCESS, ROLES } from '../members/roles.js';
import { VISIBILITY } from '../members/visibility.js';
import type { ProjectRow } from '../projects/project-row.js';

/** What a project may have switched off. */
export type ProjectFeature = 'issues' | 'mergeRequests' | 'wiki' | 'snippets' | 'repository';

/** Somebody's rights in the project of an event, as SQL; what is known beforehand is a constant. */
export interface EventRights {
  viewer: Viewer | null;
  has(feature: ProjectFeature): string;
  may(ability: ProjectAbility): string;
  /** Whether the asker is a member, or an administrator, for whom nothing takes a membership. */
  isMember(): string;
}

const COLUMNS: Record<ProjectFeature, string> = {
  issues: 'p.issues_enabled',
  mergeRequests: 'p.merge_requests_enabled',
  wiki: 'p.wiki_enabled',
  snippets: 'p.snippets_enabled',
  repository: 'p.repository_enabled',
};

/** Rights in a project that the request is about: all of them are known. */
export function rightsIn(project: ProjectRow, viewer: Viewer | null): EventRights {
  const { visibility, accessLevel } = project;
  const sql = (value: boolean): string => String(value);
  return {
    viewer,
    has: (feature) => sql(project[`${feature}Enabled`]),
    may: (ability) => sql(canInProject(ability, { visibility, accessLevel, viewer })),
    isMember: () => sql(viewer?.admin === true || accessLevel >= ROLES.guest),
  };
}

/** Rights in whatever project an event is of; as SQL over `projects p`. */
export function rightsInAny(conditions: Conditions, viewer: Viewer | null): EventRights {
  const has = (feature: ProjectFeature): string => COLUMNS[feature];
  if (viewer?.admin === true) return { viewer, has, may: () => 'true', isMember: () => 'true' };
  const me = viewer === null ? null : conditions.value(viewer.id);
  const holds = (level: number): string =>
    me === null ? 'false' : authorizedProjectSql(me, String(level));
  const sight = `p.visibility >= ${openLevel(viewer)}`;
  return {
    viewer,
    has,
    may: (ability) =>
      anyOf(isOpen(ability, viewer) ? sight : 'false', holds(ROLES[PROJECT_ABILITIES[ability]])),
    isMember: () => holds(ROLES.guest),
  };
}

/** From which visibility on something is seen without a membership. */
export function openLevel(viewer: Viewer | null): number {
  return viewer === null || viewer.external ? VISIBILITY.public : VISIBILITY.internal;
}

/** Whether it suffices to see an open project. */
function isOpen(ability: ProjectAbility, viewer: Viewer | null): boolean {
  const open = { visibility: VISIBILITY.public, accessLevel: NO_ACCESS, viewer };
  return canInProject(ability, open);
}
