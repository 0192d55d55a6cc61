import type { ComponentChildren, VNode } from 'preact';

interface LiveRegionProps {
  id: string;
  /** Answers with this same region (`shell.fragment`), made anew. */
  href: string;
  /** Between two questions; null when nothing changes any more. */
  seconds: number | null;
  /** What it shows; for assistive technology. */
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
