import type { VNode } from 'preact';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { fullPathOf, type ProjectRow } from '../projects.repository.js';

type Named = Pick<ProjectRow, 'path' | 'namespace'>;

/** Returns the path of a project's alert settings and integrations. */
export function alertSettingsPath(project: Named): string {
  return `/${fullPathOf(project)}/-/settings/alerts`;
}

/** Returns the path of a project's error tracking settings and setup guides. */
export function errorSettingsPath(project: Named): string {
  return `/${fullPathOf(project)}/-/settings/error_tracking`;
}

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
