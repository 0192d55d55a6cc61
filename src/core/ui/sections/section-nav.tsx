import type { ComponentChildren, VNode } from 'preact';

/** A page of a section. */
export interface SectionItem {
  label: string;
  href: string;
}

interface SectionFrameProps {
  /** Name of the navigation for assistive technology. */
  label: string;
  items: readonly SectionItem[];
  /** `href` of the page that is shown. */
  current: string;
  children: ComponentChildren;
}

/** The pages of a section beside the one that is shown, above it on narrow screens. */
export function SectionFrame({ label, items, current, children }: SectionFrameProps): VNode {
  return (
    <div class="section-frame">
      <nav class="section-nav" aria-label={label}>
        <ul>
          {items.map((item) => (
            <li key={item.href}>
              <a href={item.href} aria-current={item.href === current ? 'page' : undefined}>
                {item.label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="section-content">{children}</div>
    </div>
  );
}
