import { canInProject } from '../../members/abilities.js';
import type { CodeView } from './code-frame.js';

/**
 * Returns true if the viewer can create branches and tags, and delete branches other than the
 * default.
 */
export function mayPushHere({ shell, project }: CodeView): boolean {
  return !project.archived && canInProject('push_code', { ...project, viewer: shell.viewer });
}

/** Returns true if the viewer can delete tags. */
export function mayDeleteTagsHere({ shell, project }: CodeView): boolean {
  return !project.archived && canInProject('push_protected', { ...project, viewer: shell.viewer });
}

/** Returns true if the viewer can open merge requests. */
export function mayProposeHere({ shell, project }: CodeView): boolean {
  const access = { ...project, viewer: shell.viewer };
  const isOpen = project.mergeRequestsEnabled && !project.archived;
  return isOpen && canInProject('create_merge_request', access);
}
