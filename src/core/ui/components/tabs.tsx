import type { VNode } from 'preact';

export interface Tab {
  label: string;
  href: string;
  count?: number | null;
}

interface TabsProps {
  /** Name of the navigation for assistive technology. */
  label: string;
  items: Tab[];
  /** `href` of the tab that is shown. */
  current: string;
  /** `pills` below other tabs: a choice within their page. */
  variant?: 'pills';
}

/** Neighbouring pages of one thing. */
export function Tabs({ label, items, current, variant }: TabsProps): VNode {
  return (
    <nav aria-label={label}>
      <ul class="tab-list" data-variant={variant}>
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
