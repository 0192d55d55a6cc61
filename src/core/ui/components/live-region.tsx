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

/** Outcome of an action that a live region answers. */
export interface Message {
  text: string;
  isRefusal?: boolean;
}

/** Shows the outcome of an action below its live region until that is renewed. */
export function Toast({ message }: { message: Message | undefined }): VNode {
  const tone = message?.isRefusal === true ? 'alert' : undefined;
  return (
    <p class="toast" role="status" data-tone={tone}>
      {message?.text}
    </p>
  );
}
