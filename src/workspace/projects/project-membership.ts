import type { AuthContext } from '../../core/access/auth-context.js';
import type { MemberSource } from '../../identity/members/member-source.js';
import type { MemberManager } from '../../identity/members/members.service.js';
import { ROLES } from '../../identity/members/roles.js';
import type { ProjectRow } from './projects.repository.js';

/** The project as something that has members. */
export function sourceOf(project: ProjectRow): MemberSource {
  return { kind: 'project', id: project.id, namespaceId: project.namespaceId };
}

/** Returns the member manager of a request; administrators count as Owner. */
export function managerOf(project: ProjectRow, auth: AuthContext): MemberManager {
  const level = auth.viewer?.admin === true ? ROLES.owner : project.accessLevel;
  return { actor: auth, level };
}
