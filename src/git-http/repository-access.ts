import type { Viewer } from '../core/access/viewer.js';
import { canInGroup, canInProject, type ContainerAccess } from '../members/abilities.js';

/** Permissions of a user in a repository. */
export interface RepositoryAccess {
  /** False = the answer must be the same as for something that does not exist. */
  visible: boolean;
  canRead: boolean;
  canPush: boolean;
  /** May push to the default branch and change tags. */
  canPushProtected: boolean;
}

type Standing = Pick<ContainerAccess, 'visibility' | 'accessLevel'>;

/** A project as far as access to its repositories goes. */
export interface ProjectStanding extends Standing {
  repositoryEnabled: boolean;
  wikiEnabled: boolean;
}

/** Access to the code of a project. */
export function codeAccess(project: ProjectStanding, viewer: Viewer | null): RepositoryAccess {
  const access = { ...project, viewer };
  const enabled = project.repositoryEnabled;
  return {
    visible: canInProject('read_project', access),
    canRead: enabled && canInProject('read_code', access),
    canPush: enabled && canInProject('push_code', access),
    canPushProtected: enabled && canInProject('push_protected', access),
  };
}

/** Access to a project's wiki: everyone who sees the project reads, developers write. */
export function wikiAccess(project: ProjectStanding, viewer: Viewer | null): RepositoryAccess {
  const access = { ...project, viewer };
  const visible = canInProject('read_project', access);
  const canPush = project.wikiEnabled && canInProject('push_code', access);
  return { visible, canRead: visible && project.wikiEnabled, canPush, canPushProtected: canPush };
}

/** Access to a group's wiki. */
export function groupWikiAccess(group: Standing, viewer: Viewer | null): RepositoryAccess {
  const access = { ...group, viewer };
  const canPush = canInGroup('push_wiki', access);
  return {
    visible: canInGroup('read_group', access),
    canRead: canInGroup('read_wiki', access),
    canPush,
    canPushProtected: canPush,
  };
}
