import type { ComponentChildren, VNode } from 'preact';
import { PageHeader } from '../../../core/ui/components/content.js';
import type { Crumb, PageInfo } from '../../../core/ui/page-context.js';
import { groupSidebar } from '../../../core/ui/sections/container-sidebars.js';
import { canInGroup } from '../../../identity/members/abilities.js';
import { VisibilityBadge } from '../../../identity/members/pages/visibility.js';
import type { GroupRow } from '../groups.repository.js';

interface GroupHeaderProps {
  group: GroupRow;
  actions?: ComponentChildren;
}

/** The head of a group's overview. */
export function GroupHeader({ group, actions }: GroupHeaderProps): VNode {
  return (
    <PageHeader
      title={group.name}
      state={<VisibilityBadge level={group.visibility} />}
      description={group.description === '' ? undefined : group.description}
      actions={actions}
    />
  );
}

/** Returns the title, breadcrumbs and sidebar of a group page; the overview without a title. */
export function groupInfo(group: GroupRow, title?: string): PageInfo {
  return {
    title: title ?? group.name,
    crumbs: pathSteps(group, '/groups/'),
    sidebar: (viewer) => {
      const access = { ...group, viewer };
      return groupSidebar(group, {
        manageTokens: canInGroup('manage_group_tokens', access),
        edit: canInGroup('admin_group', access),
      });
    },
  };
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
