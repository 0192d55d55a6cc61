import type { VNode } from 'preact';
import type { Viewer } from '../access/viewer.js';
import { ButtonLink } from './components/button.js';
import type { SiteProps } from './page-layout.js';
import type { NavItem } from './page-context.js';
import { Avatar } from './components/avatar.js';
import { Form } from './components/form.js';

interface Place {
  item: NavItem;
  label: string;
  href: string;
}

const EXPLORE: Place = { item: 'explore', label: 'Explore', href: '/explore' };
const PLACES: Place[] = [
  { item: 'dashboard', label: 'Dashboard', href: '/' },
  { item: 'groups', label: 'Groups', href: '/dashboard/groups' },
  { item: 'projects', label: 'Projects', href: '/dashboard/projects' },
  { item: 'snippets', label: 'Snippets', href: '/-/snippets' },
  EXPLORE,
];
const ADMIN: Place = { item: 'admin', label: 'Admin', href: '/admin' };

interface SiteHeaderProps {
  site: SiteProps;
  viewer: Viewer | null;
  csrfToken: string;
  path: string;
  nav: NavItem | undefined;
}

/** The bar above every page: name of the instance, main navigation, the user's menu. */
export function SiteHeader({ site, viewer, csrfToken, path, nav }: SiteHeaderProps): VNode {
  return (
    <header class="top-bar">
      <div>
        <a class="brand" href="/">
          <img src={site.icon} alt="" width={24} height={24} />
          Guildhall
        </a>
        <nav class="main-nav" aria-label="Main">
          <ul>
            {placesFor(viewer).map(({ item, label, href }) => (
              <li key={item}>
                <a href={href} aria-current={item === nav ? 'true' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="ml-auto flex items-center gap-2">
          {viewer === null ? (
            <Entrance path={path} mayRegister={site.mayRegister} />
          ) : (
            <UserMenu viewer={viewer} csrfToken={csrfToken} />
          )}
        </div>
      </div>
    </header>
  );
}

function placesFor(viewer: Viewer | null): Place[] {
  if (viewer === null) return [EXPLORE];
  return viewer.admin ? [...PLACES, ADMIN] : PLACES;
}

/** A page does not lead to itself. */
function Entrance({ path, mayRegister }: { path: string; mayRegister: boolean }): VNode {
  return (
    <>
      {mayRegister && path !== '/users/sign_up' && (
        <ButtonLink href="/users/sign_up" variant="ghost">
          Register
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

const LINKS = [
  { label: 'Profile', href: '/-/user_settings/profile' },
  { label: 'Access tokens', href: '/-/user_settings/personal_access_tokens' },
  { label: 'Applications', href: '/-/user_settings/applications' },
  { label: 'Sessions', href: '/-/user_settings/active_sessions' },
];

/** The user's own places and the way out; opens without a script. */
function UserMenu({ viewer, csrfToken }: { viewer: Viewer; csrfToken: string }): VNode {
  return (
    <details class="menu">
      <summary>
        <Avatar name={viewer.name} owner={viewer} />
        <span class="sr-only">Your account, </span>
        <span class="max-w-40 truncate">{viewer.username}</span>
      </summary>
      <div>
        <p class="border-b px-2.5 pt-1 pb-2 break-words">
          <strong class="block font-semibold">{viewer.name}</strong>
          <span class="text-muted-foreground">@{viewer.username}</span>
        </p>
        <ul class="py-1">
          {LINKS.map(({ label, href }) => (
            <li key={href}>
              <a href={href}>{label}</a>
            </li>
          ))}
        </ul>
        <Form action="/users/sign_out" csrfToken={csrfToken} class="border-t pt-1">
          <button type="submit">Sign out</button>
        </Form>
      </div>
    </details>
  );
}
