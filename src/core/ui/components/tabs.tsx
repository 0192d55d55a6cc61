import type { VNode } from 'preact';

export interface Tab {
  label: string;
  href: string;
  /** Entries of the view; `100+` for more than are counted. */
  count?: number | string | null;
}

interface TabsProps {
  /** Name of the navigation for assistive technology. */
  label: string;
  items: Tab[];
  /** `href` of the tab that is shown. */
  current: string;
}

/** Views of one page: states of a list, pages of one thing. */
export function Tabs({ label, items, current }: TabsProps): VNode {
  return (
    <nav aria-label={label}>
      <ul class="tab-list">
        {items.map(({ label: text, href, count }) => (
          <li key={href}>
            <a href={href} aria-current={href === current ? 'page' : undefined}>
              {text}
              {count != null && <span>{count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
