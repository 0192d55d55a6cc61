import type { ComponentChildren, VNode } from 'preact';
import type { Viewer } from '../access/auth-context.js';
import { CopyField } from './components/copy.js';
import { Form } from './components/form.js';
import { Icon } from './components/icon.js';
import { Document } from './document.js';
import type { Crumb, FlashMessages, PageInfo, FrameCounts, FrameRequest } from './page-context.js';
import { APPEARANCE_PATH, homePath, type Preferences } from './preferences.js';
import { currentItem, SidebarNav, type Sidebar } from './sections/sidebar.js';
import { siteSidebar } from './sections/site.js';
import { Brand, SIDEBAR_ID, TopBar } from './top-bar.js';

/** Properties that all pages of the instance share. */
export interface SiteProps {
  /** Addresses of our files. */
  icon: string;
  styleSheet: string;
  font: string;
  script: string;
  pageScript?: string | undefined;
  version: string;
  /** True if sign-up is enabled. */
  mayRegister: boolean;
  preferences: Preferences;
}

interface PageLayoutProps {
  site: SiteProps;
  viewer: Viewer | null;
  csrfToken: string;
  path: string;
  info: PageInfo;
  messages: FlashMessages | null;
  counts: FrameCounts;
  children: ComponentChildren;
}

type Page = Pick<PageLayoutProps, 'viewer' | 'info'>;

/** Returns the request for the counters of the page's frame. */
export function frameRequest({ viewer, info }: Page): FrameRequest {
  const { projectId } = info;
  const items = sidebarOf({ viewer, info }).sections.flatMap((section) => section.items);
  const counters = items.flatMap(({ counter }) => counter ?? []);
  return { viewer, project: projectId === undefined ? null : { id: projectId, counters } };
}

function sidebarOf({ viewer, info }: Page): Sidebar {
  return info.sidebar?.(viewer) ?? siteSidebar(info.nav, viewer);
}

/** The frame of every page: sidebar, top bar, messages, content. */
export function PageLayout(props: PageLayoutProps): VNode {
  const { site, viewer, csrfToken, path, info, messages, counts, children } = props;
  const { narrow = false } = info;
  const sidebar = sidebarOf({ viewer, info });
  const frame = { site, viewer, csrfToken, path, counts };
  return (
    <Document
      title={documentTitle(info, { sidebar, path })}
      icon={site.icon}
      styleSheets={[site.styleSheet]}
      font={site.font}
      preferences={site.preferences}
      scripts={[site.script, site.pageScript]}
      feed={info.feed}
    >
      <div class={narrow ? 'frame bare' : 'frame'}>
        {!narrow && <SidebarColumn {...frame} sidebar={sidebar} />}
        <div class="frame-content">
          <TopBar
            {...frame}
            crumbs={crumbsOf(info, { sidebar, path })}
            switches={!narrow && sidebar.path !== undefined}
            bare={narrow}
          />
          <main id="content" tabIndex={-1}>
            <Flash messages={messages} />
            {info.notice !== undefined && (
              <p class="alert" role="status" data-tone="notice">
                {info.notice}
              </p>
            )}
            {children}
          </main>
          {narrow && <BareFooter version={site.version} />}
        </div>
      </div>
    </Document>
  );
}

interface PagePosition {
  sidebar: Sidebar;
  path: string;
}

/** `Payment fails (#12) · Issues · acme/shop · Guildhall`. */
function documentTitle(
  { title, count, narrow }: PageInfo,
  { sidebar, path }: PagePosition,
): string {
  const page = count == null ? title : `${title} (${count.toLocaleString('en')})`;
  const item = narrow === true ? null : currentItem(sidebar, path);
  const isNamed = item === null || item.alone === true || item.label === title;
  const parts = isNamed ? [page, sidebar.path] : [page, item.label, sidebar.path];
  return [...parts.filter((part) => part !== undefined), 'Guildhall'].join(' · ');
}

/** The way to the page: to its entry of the sidebar; the title stands below in full. */
function crumbsOf(
  { title, crumbs = [], narrow }: PageInfo,
  { sidebar, path }: PagePosition,
): Crumb[] {
  if (narrow === true) return [];
  const item = currentItem(sidebar, path);
  const isEntry = item !== null && item.alone !== true;
  const isListed = isEntry && crumbs.some(({ href }) => href === item.href);
  const listed =
    isEntry && !isListed ? [...crumbs, { label: item.label, href: item.href }] : crumbs;
  const steps = sidebar.crumb === undefined ? listed : [sidebar.crumb, ...listed];
  if (steps.length === 0) return [{ label: title }];
  return steps.map(({ label, href }) =>
    href === undefined || href === path ? { label } : { label, href },
  );
}

interface SidebarColumnProps {
  site: SiteProps;
  viewer: Viewer | null;
  csrfToken: string;
  path: string;
  counts: FrameCounts;
  sidebar: Sidebar;
}

/** Beside the content; on narrow screens a drawer, which the top bar's button opens. */
function SidebarColumn(props: SidebarColumnProps): VNode {
  const { site, viewer, csrfToken, path, counts, sidebar } = props;
  return (
    <aside class="sidebar" id={SIDEBAR_ID} popover="auto" aria-label="Sidebar">
      <Brand icon={site.icon} href={homePath(site.preferences)} />
      <SidebarNav sidebar={sidebar} counts={counts} path={path} />
      <div class="sidebar-foot">
        <a href="/-/docs/api" title={`Guildhall ${site.version}`}>
          <Icon name="book-open" />
          <span>API reference</span>
        </a>
        {viewer !== null && (
          <SidebarSwitch csrfToken={csrfToken} state={site.preferences.sidebar} />
        )}
      </div>
    </aside>
  );
}

/** Collapses the sidebar to its icons, or shows it whole again. */
function SidebarSwitch({
  csrfToken,
  state,
}: {
  csrfToken: string;
  state: Preferences['sidebar'];
}): VNode {
  const isOpen = state === 'open';
  const label = isOpen ? 'Collapse sidebar' : 'Expand sidebar';
  return (
    <Form action={APPEARANCE_PATH} csrfToken={csrfToken} class="sidebar-switch">
      <button
        type="submit"
        class="icon-button"
        name="sidebar"
        value={isOpen ? 'collapsed' : 'open'}
        aria-label={label}
        title={label}
      >
        <Icon name="panel-left" />
      </button>
    </Form>
  );
}

/** Footer of pages without a sidebar. */
function BareFooter({ version }: { version: string }): VNode {
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
            hint="Copy it now. You won't be able to see it again."
          />
        </section>
      )}
    </div>
  );
}
