import type { VNode } from 'preact';

export interface Tab {
  label: string;
  href: string;
  /** Entries of the view; `100+` for more than are counted. */
  count?: number | string | null;
  /** The entries in words for assistive technology: `comments`. */
  noun?: string;
  /** Stands back behind the others: there is nothing to see. */
  isEmpty?: boolean;
}

interface TabsProps {
  /** Name of the navigation for assistive technology. */
  label: string;
  items: Tab[];
  /** `href` of the tab that is shown. */
  current: string;
  /** Where live answers bring the counters along. */
  id?: string;
  /** In a live answer. */
  isLive?: boolean | undefined;
}

/** Views of one page: states of a list, pages of one thing. */
export function Tabs({ label, items, current, id, isLive }: TabsProps): VNode {
  const swap = isLive === true ? { 'hx-swap-oob': 'true' } : {};
  return (
    <nav id={id} aria-label={label} {...swap}>
      <ul class="tab-list">
        {items.map(({ label: text, href, count, noun, isEmpty }) => (
          <li key={href} data-empty={isEmpty}>
            <a href={href} aria-current={href === current ? 'page' : undefined}>
              {text}
              {count != null && <span>{count}</span>}
              {count != null && noun !== undefined && <span class="sr-only"> {noun}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
