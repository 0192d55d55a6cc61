import type { VNode } from 'preact';
import type { SessionContext, Viewer } from '../access/auth-context.js';
import type { HttpResponse } from '../http/http-response.js';
import type { Sidebar } from './sections/sidebar.js';

/** The area of a page that belongs to no project and no group. */
export type NavItem =
  'dashboard' | 'groups' | 'projects' | 'snippets' | 'explore' | 'admin' | 'account';

/** One step of the way to a page. */
export interface Crumb {
  label: string;
  href?: string;
}

/** Metadata of a page. */
export interface PageInfo {
  title: string;
  /** Entries of the list that the page shows, for the title of the document. */
  count?: number | null;
  nav?: NavItem;
  /** Returns the sidebar of the page's project or group as its viewer can use it. */
  sidebar?: (viewer: Viewer | null) => Sidebar;
  /** The project whose counters the sidebar shows. */
  projectId?: number;
  /** The way to the page, from the outside in, without the page itself. */
  crumbs?: Crumb[];
  /** State of the project or group that each of its pages shows. */
  notice?: string;
  /** Path and query of the Atom feed with the content of the page. */
  feed?: string;
  /** For a single small form: without a sidebar. */
  narrow?: boolean;
  /** URLs outside of this site that forms can lead to (the redirect URI of a consent). */
  formTargets?: string[];
  /** A script of this page besides the one of all pages, by the name of its file. */
  script?: string;
  /** Hides the page's URL, which contains a token, from other sites. */
  noReferrer?: boolean;
}

/** Results of an action, shown on the next page. `secret` is shown once only. */
export interface FlashMessages {
  notice?: string;
  alert?: string;
  secret?: { label: string; value: string };
}

/** Input and response builder of page handlers: `list(@Context() pageContext: PageContext)`. */
export interface PageContext {
  readonly viewer: Viewer | null;
  readonly session: SessionContext | null;
  /** For the hidden field of forms. */
  readonly csrfToken: string;
  /** Of the request, without its query. */
  readonly path: string;
  /** Public address of the instance, without trailing slash. */
  readonly baseUrl: string;
  /** Renders a whole page; 200 by default. */
  render(content: VNode, info: PageInfo, status?: number): HttpResponse;
  /** Part of a page, for a live region. */
  fragment(content: VNode): HttpResponse;
  /** 303 to a path of this site; the messages are shown there. */
  redirect(location: string, flash?: FlashMessages): HttpResponse;
}

/**
 * Parts of a page that belong to features on higher floors, which add them when their module starts.
 */
export abstract class PageSections<Shown> {
  private readonly sections: ((shown: Shown) => Promise<VNode | null>)[] = [];

  /** Shows the part after those that were added before; null for viewers who do not see it. */
  add(section: (shown: Shown) => Promise<VNode | null>): void {
    this.sections.push(section);
  }

  /** Returns the parts for the viewer of the page. */
  async of(shown: Shown): Promise<VNode[]> {
    const parts = await Promise.all(this.sections.map((section) => section(shown)));
    return parts.filter((part) => part !== null);
  }
}

/** Entries of a project's sidebar with a counter. */
export type SidebarCounter = 'issues' | 'merge_requests' | 'alerts' | 'errors';

/** Limits up to which counters are exact. */
export const MAX_TODOS = 100;
export const MAX_COUNTED = 1_000;

/** Counters of the frame. */
export type FrameCounts = { todos: number } & Partial<Record<SidebarCounter, number>>;

export const NO_COUNTS: FrameCounts = { todos: 0 };

/** A viewer, and a project with the counters of the entries that they see in its sidebar. */
export interface FrameRequest {
  viewer: Viewer | null;
  project: { id: number; counters: readonly SidebarCounter[] } | null;
}

/** Reads the counters of a page's frame; implemented by a feature on a higher floor. */
export abstract class FrameCounters {
  abstract count(request: FrameRequest): Promise<FrameCounts>;
}

/** Returns `99+` for 100 of at most 100. */
export function countLabel(count: number, max: number): string {
  return count < max ? String(count) : `${max - 1}+`;
}
