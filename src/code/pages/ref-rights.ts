import { canInProject } from '../../members/abilities.js';
import type { CodeView } from './code-frame.js';

/** Whether the viewer may make branches and tags, and delete branches but the default one. */
export function mayPushHere({ shell, project }: CodeView): boolean {
  return !project.archived && canInProject('push_code', { ...project, viewer: shell.viewer });
}

/** Whether the viewer may delete tags. */
export function mayDeleteTagsHere({ shell, project }: CodeView): boolean {
  return !project.archived && canInProject('push_protected', { ...project, viewer: shell.viewer });
}

/** Whether the viewer may open merge requests. */
export function mayProposeHere({ shell, project }: CodeView): boolean {
  const access = { ...project, viewer: shell.viewer };
  const isOpen = project.mergeRequestsEnabled && !project.archived;
  return isOpen && canInProject('create_merge_request', access);
}
