import type { ComponentChildren, VNode } from 'preact';
import type { Viewer } from '../access/viewer.js';
import { Document } from './document.js';
import type { FlashMessages, PageInfo, Crumb } from './page-context.js';
import { SiteHeader } from './site-header.js';
import { CopyField } from './components/copy-field.js';

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

/** The way to the page; the page itself comes last. */
function Breadcrumbs({ crumbs, title }: { crumbs: Crumb[]; title: string }): VNode {
  return (
    <nav class="breadcrumb" aria-label="Breadcrumb">
      <ol>
        {crumbs.map(({ label, href }) => (
          <li key={href ?? label}>{href === undefined ? label : <a href={href}>{label}</a>}</li>
        ))}
        <li>
          <span aria-current="page">{title}</span>
        </li>
      </ol>
    </nav>
  );
}

/** Footer of every page. */
function SiteFooter({ version }: { version: string }): VNode {
  return (
    <footer class="foot">
      <ul>
        <li>Guildhall {version}</li>
        <li>
          <a href="/explore">Explore</a>
        </li>
        <li>
          <a href="/-/docs/api">API</a>
        </li>
      </ul>
    </footer>
  );
}

/** Result of the previous action, shown on the page after it. */
export function Flash({ messages }: { messages: FlashMessages | null }): VNode | null {
  if (messages === null) return null;
  const { notice, alert, secret } = messages;
  return (
    <div class="grid gap-3">
      {notice !== undefined && (
        <div class="alert" role="status" data-tone="notice">
          {notice}
        </div>
      )}
      {alert !== undefined && (
        <div class="alert" role="alert" data-tone="alert">
          {alert}
        </div>
      )}
      {secret !== undefined && (
        <section class="alert" data-tone="secret" aria-label="Shown once">
          <CopyField
            label={secret.label}
            value={secret.value}
            hint="Copy it now: it is not shown again."
          />
        </section>
      )}
    </div>
  );
}
