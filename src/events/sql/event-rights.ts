import type { Viewer } from '../../core/access/viewer.js';
import { type Conditions, anyOf } from '../../core/sql/conditions.js';
import {
  canInProject,
  PROJECT_ABILITIES,
  type ProjectAbility,
} from '../../identity/members/abilities.js';
import { authorizedProjectSql } from '../../identity/members/sql/access.js';
import { NO_ACCESS, ROLES } from '../../identity/members/roles.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';

/** Features that a project can disable. */
export type ProjectFeature = 'issues' | 'mergeRequests' | 'wiki' | 'snippets' | 'repository';

/** The viewer's rights in the project of an event as SQL; known ones are constants. */
export interface EventRights {
  viewer: Viewer | null;
  has(feature: ProjectFeature): string;
  may(ability: ProjectAbility): string;
  /** The viewer is a member or an administrator. */
  isMember(): string;
}

const COLUMNS: Record<ProjectFeature, string> = {
  issues: 'p.issues_enabled',
  mergeRequests: 'p.merge_requests_enabled',
  wiki: 'p.wiki_enabled',
  snippets: 'p.snippets_enabled',
  repository: 'p.repository_enabled',
};

/** Returns the rights in the project of the request: all of them are known. */
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

/** Returns the rights in the project of each event, as SQL over `projects p`. */
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

/** Returns the lowest visibility that the viewer can see without a membership. */
export function openLevel(viewer: Viewer | null): number {
  return viewer === null || viewer.external ? VISIBILITY.public : VISIBILITY.internal;
}

/** The ability needs no role in a project that the viewer can see. */
function isOpen(ability: ProjectAbility, viewer: Viewer | null): boolean {
  const open = { visibility: VISIBILITY.public, accessLevel: NO_ACCESS, viewer };
  return canInProject(ability, open);
}
