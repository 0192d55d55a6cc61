import type { VNode } from 'preact';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { fullPathOf, type ProjectRow } from '../projects.repository.js';

interface ProjectSettingsTabsProps {
  project: ProjectRow;
  current: 'general' | 'alerts' | 'errors';
}

/** The pages of a project's settings. */
export function ProjectSettingsTabs({ project, current }: ProjectSettingsTabsProps): VNode {
  const base = `/${fullPathOf(project)}/-`;
  const addresses = {
    general: `${base}/edit`,
    alerts: `${base}/settings/alerts`,
    errors: `${base}/settings/error_tracking`,
  };
  return (
    <Tabs
      label="Settings"
      items={[
        { label: 'General', href: addresses.general },
        { label: 'Alerts', href: addresses.alerts },
        { label: 'Error tracking', href: addresses.errors },
      ]}
      current={addresses[current]}
    />
  );
}
