import type { ComponentChildren, VNode } from 'preact';

interface LiveRegionProps {
  id: string;
  /** URL that returns the updated region (`pageContext.fragment`). */
  href: string;
  /** Refresh interval; null when nothing changes after this. */
  seconds: number | null;
  /** Accessible name of the region. */
  label: string;
  children: ComponentChildren;
}

/** Replaces what changed of itself every few seconds, the focus stays; without a script it stays as it was loaded. */
export function LiveRegion({ id, href, seconds, label, children }: LiveRegionProps): VNode {
  const polling =
    seconds === null
      ? {}
      : { 'hx-get': href, 'hx-trigger': `every ${seconds}s`, 'hx-swap': 'outerMorph' };
  return (
    <section id={id} aria-label={label} {...polling}>
      {children}
    </section>
  );
}
