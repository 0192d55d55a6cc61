import type { RequestedSource } from '../../identity/members/access-requests/access-requests.service.js';
import { groupSource, projectSource } from '../../identity/members/member-source.js';
import type { GroupRow } from '../groups/groups.repository.js';
import { fullPathOf, type CountedProjectRow } from './projects.repository.js';

/** Returns a group as someone requests access to it. */
export function requestedGroup(group: GroupRow): RequestedSource {
  const { requestAccessEnabled, accessLevel, sendsMails } = group;
  return {
    source: groupSource(group),
    name: group.fullName,
    path: `/groups/${group.fullPath}/-/group_members`,
    ...{ requestAccessEnabled, accessLevel, sendsMails },
  };
}

/** Returns a project as someone requests access to it. */
export function requestedProject(project: CountedProjectRow): RequestedSource {
  const { requestAccessEnabled, accessLevel, namespace } = project;
  return {
    source: projectSource(project),
    name: `${namespace.fullName} / ${project.name}`,
    path: `/${fullPathOf(project)}/-/project_members`,
    ...{ requestAccessEnabled, accessLevel },
    sendsMails: project.emailsEnabled && project.groupsSendMails,
  };
}
