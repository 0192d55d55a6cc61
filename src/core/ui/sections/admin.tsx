import type { ComponentChildren, VNode } from 'preact';
import { SectionFrame } from './section-nav.js';

const PAGES = {
  overview: { label: 'Overview', href: '/admin' },
  users: { label: 'Users', href: '/admin/users' },
  applications: { label: 'Applications', href: '/admin/applications' },
  settings: { label: 'Settings', href: '/admin/application_settings' },
  audit: { label: 'Audit log', href: '/admin/audit_logs' },
  storages: { label: 'Storages', href: '/admin/storages' },
  moves: { label: 'Storage moves', href: '/admin/storage_moves' },
  mails: { label: 'Mails', href: '/admin/mails' },
  queues: { label: 'Queues', href: '/admin/queues' },
} as const;

interface AdminSectionProps {
  current: keyof typeof PAGES;
  children: ComponentChildren;
}

/** Administration section. */
export function AdminSection({ current, children }: AdminSectionProps): VNode {
  return (
    <SectionFrame
      label="Administration"
      items={Object.values(PAGES)}
      current={PAGES[current].href}
      children={children}
    />
  );
}
