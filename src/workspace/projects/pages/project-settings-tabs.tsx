import type { VNode } from 'preact';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { fullPathOf, type ProjectRow } from '../projects.repository.js';
import { alertSettingsPath, errorSettingsPath } from './settings-paths.js';

interface ProjectSettingsTabsProps {
  project: ProjectRow;
  current: 'general' | 'alerts' | 'errors';
}

/** The pages of a project's settings. */
export function ProjectSettingsTabs({ project, current }: ProjectSettingsTabsProps): VNode {
  const addresses = {
    general: `/${fullPathOf(project)}/-/edit`,
    alerts: alertSettingsPath(project),
    errors: errorSettingsPath(project),
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
