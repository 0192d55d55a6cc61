import type { VNode } from 'preact';
import { Tabs } from '../components/tabs.js';

export type GroupTab = 'overview' | 'activity' | 'members' | 'tokens' | 'settings';

interface GroupTabsProps {
  group: { fullPath: string };
  current: GroupTab;
  /** Navigation items that the viewer can see besides overview and members. */
  may: { manageTokens: boolean; edit: boolean };
}

/** The pages of a group. */
export function GroupTabs({ group, current, may }: GroupTabsProps): VNode {
  const base = `/groups/${group.fullPath}`;
  const addresses = {
    overview: base,
    activity: `${base}/-/activity`,
    members: `${base}/-/group_members`,
    tokens: `${base}/-/settings/access_tokens`,
    settings: `${base}/-/edit`,
  };
  const items = [
    { label: 'Overview', href: addresses.overview },
    { label: 'Activity', href: addresses.activity },
    { label: 'Members', href: addresses.members },
    ...(may.manageTokens ? [{ label: 'Access tokens', href: addresses.tokens }] : []),
    ...(may.edit ? [{ label: 'Settings', href: addresses.settings }] : []),
  ];
  return <Tabs label="Group" items={items} current={addresses[current]} />;
}
