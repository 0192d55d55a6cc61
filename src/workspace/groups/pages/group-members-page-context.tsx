import type { AuthContext } from '../../../core/access/auth-context.js';
import { canInGroup } from '../../../identity/members/abilities.js';
import type { MembersPageContext } from '../../../identity/members/pages/members-page-context.js';
import type { GroupRow } from '../groups.repository.js';
import { managerOf, sourceOf } from '../group-membership.js';
import { GroupFrame, groupInfo } from './group-frame.js';

/** The group as the pages of members need it. */
export function groupMembersPageContext(group: GroupRow, auth: AuthContext): MembersPageContext {
  const { viewer } = auth;
  return {
    source: sourceOf(group),
    manager: managerOf(group, auth),
    mayManage: canInGroup('admin_group', { ...group, viewer }),
    path: `/groups/${group.fullPath}/-/group_members`,
    info: groupInfo(group, 'Members'),
    frame: (content) => (
      <GroupFrame group={group} viewer={viewer} current="members">
        {content}
      </GroupFrame>
    ),
  };
}
