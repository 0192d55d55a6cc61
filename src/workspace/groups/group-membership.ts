import type { AuthContext } from '../../core/access/auth-context.js';
import type { MemberSource } from '../../identity/members/member-source.js';
import type { MemberManager } from '../../identity/members/members.service.js';
import { ROLES } from '../../identity/members/roles.js';
import type { GroupRow } from './groups.repository.js';

/** The group as something that has members. */
export function sourceOf(group: GroupRow): MemberSource {
  return { kind: 'group', id: group.id, namespaceId: group.id };
}

/** Returns the member manager of a request; administrators count as Owner. */
export function managerOf(group: GroupRow, auth: AuthContext): MemberManager {
  const level = auth.viewer?.admin === true ? ROLES.owner : group.accessLevel;
  return { actor: auth, level };
}
