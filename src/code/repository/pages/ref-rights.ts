import { canInProject } from '../../../identity/members/abilities.js';
import type { CodeView } from './code-frame.js';

/**
 * Returns true if the viewer can create branches and tags, and delete branches other than the
 * default.
 */
export function mayPushHere({ pageContext, project }: CodeView): boolean {
  return !project.archived && canInProject('push_code', { ...project, viewer: pageContext.viewer });
}

/** Returns true if the viewer can delete tags. */
export function mayDeleteTagsHere({ pageContext, project }: CodeView): boolean {
  return (
    !project.archived && canInProject('push_protected', { ...project, viewer: pageContext.viewer })
  );
}

/** Returns true if the viewer can open merge requests. */
export function mayProposeHere({ pageContext, project }: CodeView): boolean {
  const access = { ...project, viewer: pageContext.viewer };
  const isOpen = project.mergeRequestsEnabled && !project.archived;
  return isOpen && canInProject('create_merge_request', access);
}
