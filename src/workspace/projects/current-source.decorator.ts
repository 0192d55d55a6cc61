import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext } from '../../core/access/auth-context.js';
import { canInGroup, canInProject } from '../../identity/members/abilities.js';
import type { RequestedSource } from '../../identity/members/access-requests/access-requests.service.js';
import type { ContainerAbilities } from '../../identity/members/container-access.js';
import {
  groupSource,
  projectSource,
  type MemberSource,
} from '../../identity/members/member-source.js';
import { managerOf, type MemberManager } from '../../identity/members/members.service.js';
import { findCurrentGroup } from '../groups/group-access.guard.js';
import type { GroupRow } from '../groups/groups.repository.js';
import { currentProject } from './project-access.guard.js';
import { fullPathOf, type CountedProjectRow } from './projects.repository.js';
import type { BriefProjectRow } from './sql/project-statements.js';

/** The project or group of an endpoint that both have, and the viewer's permissions there. */
export interface CurrentMemberSource {
  source: MemberSource;
  manager: MemberManager;
  container: { project: BriefProjectRow } | { group: GroupRow };
  can(abilities: ContainerAbilities): boolean;
}

/** The project or group that the guard let pass: `list(@CurrentSource() { source }: CurrentMemberSource)`. */
export const CurrentSource = createParamDecorator(
  (_: unknown, context: ExecutionContext): CurrentMemberSource => {
    const request = context.switchToHttp().getRequest<Request>();
    const auth = authContext(request);
    const { viewer } = auth;
    const group = findCurrentGroup(request);
    if (group !== null) {
      return {
        source: groupSource(group),
        manager: managerOf(group, auth),
        container: { group },
        can: (abilities) => canInGroup(abilities.group, { ...group, viewer }),
      };
    }
    const project = currentProject(request);
    return {
      source: projectSource(project),
      manager: managerOf(project, auth),
      container: { project },
      can: (abilities) => canInProject(abilities.project, { ...project, viewer }),
    };
  },
);

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
