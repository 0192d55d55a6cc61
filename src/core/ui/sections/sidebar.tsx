import type { ComponentChildren, VNode } from 'preact';
import { Icon, type IconName } from '../components/icon.js';
import {
  type Crumb,
  countLabel,
  MAX_COUNTED,
  type FrameCounts,
  type SidebarCounter,
} from '../page-context.js';

/** A page that the sidebar leads to. */
export interface SidebarItem {
  label: string;
  href: string;
  icon: IconName;
  /** Paths of other pages that belong to it, with all below them. */
  covers?: readonly string[];
  /** Pages below `href` are not its own: it is the overview above them. */
  alone?: boolean;
  /** Shown at its end. */
  counter?: SidebarCounter;
}

/** Items under a common heading. */
interface SidebarSection {
  title?: string;
  items: readonly SidebarItem[];
}

/** The pages of one area of the site: a project, a group, the account, administration. */
export interface Sidebar {
  /** Name of the navigation for assistive technology. */
  label: string;
  /** The project, group or user that the pages belong to. */
  subject?: { name: string; detail: string; href: string; avatar: VNode };
  /** First step of the way to its pages. */
  crumb?: Crumb;
  /** Full path of the project or group, for the title of the document. */
  path?: string;
  sections: readonly SidebarSection[];
}

/** Returns the item whose `href` or covered path is the longest beginning of `path`. */
export function currentItem({ sections }: Sidebar, path: string): SidebarItem | null {
  let best: { item: SidebarItem; length: number } | null = null;
  for (const item of sections.flatMap(({ items }) => items)) {
    for (const start of [item.href, ...(item.covers ?? [])]) {
      const isBelow = item.alone !== true && path.startsWith(`${start}/`);
      if ((path === start || isBelow) && start.length > (best?.length ?? 0))
        best = { item, length: start.length };
    }
  }
  return best?.item ?? null;
}

interface SidebarNavProps {
  sidebar: Sidebar;
  counts: FrameCounts;
  path: string;
}

/** Navigation of an area: its subject, then its pages under their headings. */
export function SidebarNav({ sidebar, counts, path }: SidebarNavProps): VNode {
  const { label, subject, sections } = sidebar;
  const current = currentItem(sidebar, path);
  return (
    <>
      {subject !== undefined && (
        <a class="sidebar-subject" href={subject.href}>
          {subject.avatar}
          <span>
            <strong>{subject.name}</strong>
            <small>{subject.detail}</small>
          </span>
        </a>
      )}
      <nav aria-label={label}>
        {sections.map(({ title, items }) => (
          <SectionOf key={title ?? ''} title={title}>
            {items.map((item) => (
              <li key={item.href}>
                <a href={item.href} aria-current={currency(item, { current, path })}>
                  <Icon name={item.icon} />
                  <span>{item.label}</span>
                  {item.counter !== undefined && (
                    <Counter name={item.counter} count={counts[item.counter]} />
                  )}
                </a>
              </li>
            ))}
          </SectionOf>
        ))}
      </nav>
    </>
  );
}

/** Nothing for zero. Alerts ask for action. */
function Counter({
  name,
  count = 0,
}: {
  name: SidebarCounter;
  count: number | undefined;
}): VNode | null {
  if (count === 0) return null;
  return (
    <small data-tone={name === 'alerts' ? 'danger' : undefined}>
      {countLabel(count, MAX_COUNTED)}
    </small>
  );
}

function SectionOf({
  title,
  children,
}: {
  title: string | undefined;
  children: ComponentChildren;
}): VNode {
  return (
    <>
      {title !== undefined && <h2>{title}</h2>}
      <ul>{children}</ul>
    </>
  );
}

function currency(
  item: SidebarItem,
  { current, path }: { current: SidebarItem | null; path: string },
): 'page' | 'true' | undefined {
  if (item !== current) return undefined;
  return item.href === path ? 'page' : 'true';
}
