import type { ComponentChildren, VNode } from 'preact';
import type { Viewer } from '../../../core/access/viewer.js';
import { Avatar } from '../../../core/ui/components/avatar.js';
import { PageHeader } from '../../../core/ui/components/content.js';
import { GroupTabs, type GroupTab } from '../../../core/ui/sections/group.js';
import type { Crumb, PageInfo } from '../../../core/ui/page-context.js';
import { canInGroup } from '../../../identity/members/abilities.js';
import { VisibilityBadge } from '../../../identity/members/pages/visibility.js';
import type { GroupRow } from '../groups.repository.js';

interface GroupFrameProps {
  group: GroupRow;
  viewer: Viewer | null;
  current: GroupTab;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** Heading and tabs of a group around one of its pages. */
export function GroupFrame({ group, viewer, current, actions, children }: GroupFrameProps): VNode {
  const access = { ...group, viewer };
  const may = {
    manageTokens: canInGroup('manage_group_tokens', access),
    edit: canInGroup('admin_group', access),
  };
  return (
    <>
      <PageHeader
        title={
          <span class="flex items-center gap-3">
            {group.avatar !== null && <Avatar name={group.name} owner={group} kind="group" />}
            {group.name}
          </span>
        }
        description={<GroupSummary group={group} />}
        actions={actions}
      />
      <GroupTabs group={group} current={current} may={may} />
      {children}
    </>
  );
}

function GroupSummary({ group }: { group: GroupRow }): VNode {
  return (
    <>
      <VisibilityBadge level={group.visibility} />
      {group.description !== '' && <span class="ml-2">{group.description}</span>}
    </>
  );
}

/** Returns the title, breadcrumbs and navigation of a group page; the overview without a title. */
export function groupInfo(group: GroupRow, title?: string): PageInfo {
  const steps = pathSteps(group, '/groups/');
  const crumbs = [{ label: 'Groups', href: '/dashboard/groups' }, ...steps];
  if (title === undefined) return { title: group.name, nav: 'groups', crumbs: crumbs.slice(0, -1) };
  return { title, nav: 'groups', crumbs };
}

/** The groups on the way to a namespace, itself included; names of groups hold no slash. */
export function pathSteps(
  { fullPath, fullName }: { fullPath: string; fullName: string },
  prefix: string,
): Crumb[] {
  const names = fullName.split(' / ');
  const paths = fullPath.split('/');
  return paths.map((path, at) => ({
    label: names[at] ?? path,
    href: prefix + paths.slice(0, at + 1).join('/'),
  }));
}
