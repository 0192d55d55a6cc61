import type { ComponentChildren, VNode } from 'preact';
import { AccountSection } from '../../../core/ui/sections/account.js';
import { AdminSection } from '../../../core/ui/sections/admin.js';
import type { Crumb, PageInfo } from '../../../core/ui/page-context.js';

/** Where applications are managed: one's own, or for administrators those of the instance. */
export type Place = 'account' | 'admin';

const PATHS: Record<Place, string> = {
  account: '/-/user_settings/applications',
  admin: '/admin/applications',
};

/** Breadcrumb of the administration pages. */
export const ADMIN: Crumb = { label: 'Admin', href: '/admin' };

/** The path of the list, or of one application below it. */
export function pathOf(place: Place, id?: number): string {
  return id === undefined ? PATHS[place] : `${PATHS[place]}/${id}`;
}

/** Returns the title, breadcrumbs and navigation of a page below the list. */
export function infoOf(place: Place, title: string): PageInfo {
  const list = { label: 'Applications', href: pathOf(place) };
  return { title, nav: place, crumbs: place === 'admin' ? [ADMIN, list] : [list] };
}

/** The navigation of the place around its pages. */
export function ApplicationFrame({ place, children }: ApplicationFrameProps): VNode {
  if (place === 'admin') return <AdminSection current="applications">{children}</AdminSection>;
  return <AccountSection current="applications">{children}</AccountSection>;
}

interface ApplicationFrameProps {
  place: Place;
  children: ComponentChildren;
}
