import type { ComponentChildren, VNode } from 'preact';
import { Document, type DocumentProps } from './document.js';

/** Metadata of a documentation page. */
export interface LayoutProps extends Omit<DocumentProps, 'script'> {
  /** Links beside the name of the instance. */
  header?: ComponentChildren;
  /** Sidebar on wide screens, shown above the content on narrow ones. */
  aside?: ComponentChildren;
}

/** For pages without scripts, forms and frames: nothing but our own style sheets and pictures. */
export const PAGE_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The frame of pages that are the same for everyone. */
export function Layout({ header, aside, children, ...document }: LayoutProps): VNode {
  return (
    <Document {...document}>
      <header class="bar">{header}</header>
      <div class={aside === undefined ? 'frame' : 'frame with-aside'}>
        {aside}
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
    </Document>
  );
}
