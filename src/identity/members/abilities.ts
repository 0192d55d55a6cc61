import { VISIBILITY } from './visibility.js';
import { ROLES, type Role } from './roles.js';

/**
 * Ability → minimum role in the project. `read_project` and `read_code` are also everyone's who
 * sees a public or internal project (see `canInProject`).
 */
export const PROJECT_ABILITIES = {
  read_project: 'guest',
  read_members: 'guest',
  read_snippet: 'guest',
  read_issue: 'guest',
  read_milestone: 'guest',
  read_label: 'guest',
  read_wiki_page: 'guest',
  read_note: 'guest',
  create_issue: 'guest',
  choose_project_mails: 'guest',
  admin_milestone: 'planner',
  admin_label: 'planner',
  read_code: 'reporter',
  read_merge_request: 'reporter',
  comment_code: 'reporter',
  read_jobs: 'reporter',
  create_snippet: 'reporter',
  read_confidential_issue: 'reporter',
  read_internal_note: 'reporter',
  admin_issue: 'reporter',
  push_code: 'developer',
  report_commit_status: 'developer',
  create_merge_request: 'developer',
  admin_merge_request: 'developer',
  read_alert: 'developer',
  admin_alert: 'developer',
  send_test_alert: 'developer',
  read_error: 'reporter',
  admin_error: 'developer',
  read_environment: 'reporter',
  admin_environment: 'developer',
  create_job_token: 'developer',
  push_protected: 'maintainer',
  admin_members: 'maintainer',
  admin_project: 'maintainer',
  admin_alert_integration: 'maintainer',
  admin_error_tracking: 'maintainer',
  manage_project_tokens: 'maintainer',
  admin_snippet: 'maintainer',
  admin_note: 'maintainer',
  own_project: 'owner',
  delete_issue: 'owner',
} as const satisfies Record<string, Role>;
export type ProjectAbility = keyof typeof PROJECT_ABILITIES;

/** Ability → minimum role in the group. */
export const GROUP_ABILITIES = {
  read_group: 'guest',
  read_group_members: 'guest',
  read_wiki: 'guest',
  choose_group_mails: 'guest',
  admin_label: 'planner',
  create_project: 'developer',
  push_wiki: 'developer',
  create_subgroup: 'owner',
  admin_group: 'owner',
  manage_group_tokens: 'owner',
} as const satisfies Record<string, Role>;
export type GroupAbility = keyof typeof GROUP_ABILITIES;

export type ContainerAbility = ProjectAbility | GroupAbility;

/** Visibility of a container and the viewer's effective role in it. */
export interface ContainerAccess {
  visibility: number;
  accessLevel: number;
  /** null = not signed in. */
  viewer: { admin: boolean; external: boolean } | null;
}

/** Abilities that seeing a public or internal container brings without any membership. */
const OPEN_ABILITIES: ReadonlySet<ContainerAbility> = new Set([
  'read_project',
  'read_members',
  'read_snippet',
  'read_issue',
  'read_milestone',
  'read_label',
  'read_wiki_page',
  'read_merge_request',
  'read_code',
  'read_group',
  'read_group_members',
  'read_wiki',
]);

/** The same for signed-in users. */
const OPEN_TO_USERS: ReadonlySet<ContainerAbility> = new Set([
  'create_issue',
  'read_note',
  'comment_code',
  'choose_project_mails',
  'choose_group_mails',
]);

/** True when the container is visible to the viewer without membership. */
export function isOpenTo(access: ContainerAccess): boolean {
  if (access.visibility === VISIBILITY.public) return true;
  return access.visibility === VISIBILITY.internal && access.viewer?.external === false;
}

/** Returns true if the viewer can do this in the project; administrators can do everything. */
export function canInProject(ability: ProjectAbility, access: ContainerAccess): boolean {
  return can(ability, PROJECT_ABILITIES[ability], access);
}

/** Returns true if the viewer can do this in the group; administrators can do everything. */
export function canInGroup(ability: GroupAbility, access: ContainerAccess): boolean {
  return can(ability, GROUP_ABILITIES[ability], access);
}

function can(ability: ContainerAbility, role: Role, access: ContainerAccess): boolean {
  if (access.viewer?.admin === true) return true;
  if (isOpenAbility(ability, access.viewer !== null) && isOpenTo(access)) return true;
  return access.accessLevel >= ROLES[role];
}

function isOpenAbility(ability: ContainerAbility, isSignedIn: boolean): boolean {
  return OPEN_ABILITIES.has(ability) || (isSignedIn && OPEN_TO_USERS.has(ability));
}
