import type { VNode } from 'preact';
import type { Viewer } from '../access/auth-context.js';
import { ButtonLink } from './components/button.js';
import { Icon } from './components/icon.js';
import { type Crumb, countLabel, MAX_TODOS, type FrameCounts } from './page-context.js';
import type { SiteProps } from './page-layout.js';
import { homePath } from './preferences.js';
import { CreateMenu, UserMenu } from './user-menu.js';

/** The sidebar's id: buttons open it on narrow screens. */
export const SIDEBAR_ID = 'sidebar';

/** Has a search field of its own. */
const SEARCH_PATH = '/search';

interface TopBarProps {
  site: SiteProps;
  viewer: Viewer | null;
  csrfToken: string;
  path: string;
  counts: FrameCounts;
  /** The way to the page; the last entry is where it is. */
  crumbs: Crumb[];
  /** The page belongs to a project or group: offers others. */
  switches: boolean;
  /** Shows the name of the product in place of the button that opens the sidebar. */
  bare: boolean;
}

/** The bar above every page: the way to it, search, and menus. */
export function TopBar(props: TopBarProps): VNode {
  const { site, viewer, csrfToken, path, crumbs, bare } = props;
  return (
    <header class="top-bar">
      {bare ? (
        <Brand icon={site.icon} href={homePath(site.preferences)} />
      ) : (
        <button
          type="button"
          class="icon-button sidebar-toggle"
          popovertarget={SIDEBAR_ID}
          aria-label="Navigation"
        >
          <Icon name="menu" />
        </button>
      )}
      <Breadcrumbs crumbs={crumbs} />
      {props.switches && <ProjectSwitcher isSignedIn={viewer !== null} />}
      <div class="top-bar-end">
        {!bare && path !== SEARCH_PATH && <Search />}
        {viewer === null ? (
          <Entrance path={path} mayRegister={site.mayRegister} />
        ) : (
          <>
            <CreateMenu viewer={viewer} />
            <TodoLink count={props.counts.todos} />
            <UserMenu viewer={viewer} csrfToken={csrfToken} preferences={site.preferences} />
          </>
        )}
      </div>
    </header>
  );
}

/** Name of the product; leads to the reader's first page. */
export function Brand({ icon, href }: { icon: string; href: string }): VNode {
  return (
    <a class="brand" href={href}>
      <img src={icon} alt="" width={22} height={22} />
      <span>Guildhall</span>
    </a>
  );
}

function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }): VNode | null {
  if (crumbs.length === 0) return null;
  return (
    <nav class="breadcrumb" aria-label="Breadcrumb">
      <ol>
        {crumbs.map(({ label, href }) => (
          <li key={href ?? label}>
            {href === undefined ? (
              <span aria-current="page">{label}</span>
            ) : (
              <a href={href}>{label}</a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Leads to other projects: a search, and with a script those with the latest activity. */
function ProjectSwitcher({ isSignedIn }: { isSignedIn: boolean }): VNode {
  return (
    <>
      <button
        type="button"
        class="icon-button switcher-toggle"
        popovertarget="switcher"
        title="Switch project"
        aria-label="Switch project"
      >
        <Icon name="chevrons-up-down" />
      </button>
      <div class="menu" id="switcher" popover="auto">
        <form class="menu-part" action="/explore" aria-label="Find a project">
          <label class="search">
            <Icon name="search" />
            <span class="sr-only">Find a project</span>
            <input type="search" name="search" placeholder="Find a project" autocomplete="off" />
          </label>
        </form>
        {isSignedIn && (
          <>
            <div hx-get="/-/switcher" hx-trigger="toggle from:#switcher once" />
            <ul class="menu-part">
              <li>
                <a href="/dashboard/projects">
                  <Icon name="folder-git-2" />
                  Your projects
                </a>
              </li>
            </ul>
          </>
        )}
      </div>
    </>
  );
}

/** Leads to the to-dos, with the number of pending ones. */
function TodoLink({ count }: { count: number }): VNode {
  const number = countLabel(count, MAX_TODOS);
  return (
    <a class="icon-button todo-link" href="/dashboard/todos" title="To-dos">
      <Icon name="inbox" />
      <span class="sr-only">To-dos</span>
      {count > 0 && <small>{number}</small>}
    </a>
  );
}

function Search(): VNode {
  return (
    <>
      <form class="search" action={SEARCH_PATH} role="search">
        <Icon name="search" />
        <input
          type="search"
          name="search"
          aria-label="Search"
          placeholder="Search or jump to…"
          autocomplete="off"
        />
      </form>
      <a class="icon-button search-link" href={SEARCH_PATH} aria-label="Search">
        <Icon name="search" />
      </a>
    </>
  );
}

/** A page does not lead to itself. */
function Entrance({ path, mayRegister }: { path: string; mayRegister: boolean }): VNode {
  return (
    <>
      {mayRegister && path !== '/users/sign_up' && (
        <ButtonLink href="/users/sign_up" variant="ghost">
          Sign up
        </ButtonLink>
      )}
      {path !== '/users/sign_in' && (
        <ButtonLink href="/users/sign_in" variant="outline">
          Sign in
        </ButtonLink>
      )}
    </>
  );
}
