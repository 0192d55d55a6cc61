import type { ComponentChildren, VNode } from 'preact';
import type { Viewer } from '../access/viewer.js';
import { Breadcrumbs } from './components/breadcrumbs.js';
import { Flash } from './components/flash.js';
import { Document } from './document.js';
import type { FlashMessages, PageInfo } from './shell.js';
import { SiteFooter } from './site-footer.js';
import { SiteHeader } from './site-header.js';

/** Properties that all pages of the instance share. */
export interface SiteProps {
  /** Addresses of our files. */
  icon: string;
  styleSheet: string;
  script: string;
  version: string;
  /** True if sign-up is enabled. */
  mayRegister: boolean;
}

interface PageLayoutProps {
  site: SiteProps;
  viewer: Viewer | null;
  csrfToken: string;
  path: string;
  info: PageInfo;
  messages: FlashMessages | null;
  children: ComponentChildren;
}

/** The frame of every page: header with navigation, the way here, messages, content, footer. */
export function PageLayout({ site, info, messages, children, ...header }: PageLayoutProps): VNode {
  const { title, crumbs = [], aside, narrow = false, live = false } = info;
  return (
    <Document
      title={`${title} · Guildhall`}
      icon={site.icon}
      styleSheets={[site.styleSheet]}
      script={live ? site.script : undefined}
    >
      <SiteHeader {...header} site={site} nav={info.nav} />
      <div class="page" data-width={narrow ? 'narrow' : undefined}>
        {crumbs.length > 0 && <Breadcrumbs crumbs={crumbs} title={title} />}
        <Flash messages={messages} />
        <div class={aside === undefined ? undefined : 'section-frame'}>
          {aside}
          <main id="content" tabIndex={-1}>
            {children}
          </main>
        </div>
      </div>
      <SiteFooter version={site.version} />
    </Document>
  );
}
