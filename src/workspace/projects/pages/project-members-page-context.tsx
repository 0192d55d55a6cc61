import type { AuthContext } from '../../../core/access/auth-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import type { MembersPageContext } from '../../../identity/members/pages/members-page-context.js';
import { managerOf, sourceOf } from '../project-membership.js';
import { fullPathOf, type ProjectRow } from '../projects.repository.js';
import { ProjectFrame, projectInfo } from './project-frame.js';

/** The project as the pages of members need it. */
export function projectMembersPageContext(
  project: ProjectRow,
  auth: AuthContext,
): MembersPageContext {
  const { viewer } = auth;
  return {
    source: sourceOf(project),
    manager: managerOf(project, auth),
    mayManage: canInProject('admin_members', { ...project, viewer }),
    path: `/${fullPathOf(project)}/-/project_members`,
    info: projectInfo(project, 'Members'),
    frame: (content) => (
      <ProjectFrame project={project} viewer={viewer} current="members">
        {content}
      </ProjectFrame>
    ),
  };
}
