import type { Viewer } from '../../core/access/auth-context.js';
import { NotFoundError, UnauthorizedError } from '../../core/errors.js';
import type { GroupRow } from '../groups/groups.repository.js';
import { canInGroup, canInProject } from '../../identity/members/abilities.js';
import { ROLES } from '../../identity/members/roles.js';
import type { ProjectRow } from '../projects/projects.repository.js';

/** The project or group of the tokens, and the viewer's permissions there. */
export interface TokenResource {
  kind: 'project' | 'group';
  id: number;
  /** The viewer's role; administrators count as Owner. */
  accessLevel: number;
  mayManage: boolean;
}

type ResourceViewer = Pick<Viewer, 'admin' | 'external'> | null;

/** A project as the home of tokens; its maintainers manage them. */
export function projectResource(project: ProjectRow, viewer: ResourceViewer): TokenResource {
  const mayManage = canInProject('manage_project_tokens', { ...project, viewer });
  return { kind: 'project', id: project.id, accessLevel: levelOf(project, viewer), mayManage };
}

/** A group as the home of tokens; its owners manage them. */
export function groupResource(group: GroupRow, viewer: ResourceViewer): TokenResource {
  const mayManage = canInGroup('manage_group_tokens', { ...group, viewer });
  return { kind: 'group', id: group.id, accessLevel: levelOf(group, viewer), mayManage };
}

function levelOf({ accessLevel }: { accessLevel: number }, viewer: ResourceViewer): number {
  return viewer?.admin === true ? ROLES.owner : accessLevel;
}

/** Throws 401 for users who cannot manage the tokens, although they see the project or group. */
export function assertMayManage({ mayManage }: TokenResource): void {
  if (!mayManage) throw new UnauthorizedError();
}

/** 404 in the words of v4: `404 project Access Token Not Found`. */
export function tokenNotFound({ kind }: Pick<TokenResource, 'kind'>): NotFoundError {
  return new NotFoundError(`${kind} Access Token`);
}
