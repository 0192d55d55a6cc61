import type { ComponentChildren, VNode } from 'preact';
import type { Viewer } from '../../../core/access/viewer.js';
import { Badge, PageHeader } from '../../../core/ui/components/content.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import type { PageInfo, PageContext } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { fullPathOf, type ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { AlertIntegration, IntegrationType } from '../../alert-integration.entity.js';
import { alertSettingsPath } from '../../../workspace/projects/pages/settings-paths.js';
import { alertsPath, integrationsPath } from '../alert-paths.js';

/** Labels of the integration types. */
export const TYPE_LABELS: Record<IntegrationType, string> = {
  http: 'HTTP endpoint',
  prometheus: 'Prometheus',
  external_paging: 'External paging',
};

type IntegrationTab = 'details' | 'mapping' | 'test' | 'deliveries';

interface IntegrationFrameProps {
  pageContext: PageContext;
  project: ProjectRow;
  integration: Pick<AlertIntegration, 'id' | 'name' | 'type' | 'active'>;
  current: IntegrationTab;
  children: ComponentChildren;
}

/** Heading and tabs around one of the pages of an integration. */
export function IntegrationFrame(props: IntegrationFrameProps): VNode {
  const { pageContext, project, integration, current, children } = props;
  const maySet = canInProject('admin_alert_integration', {
    ...project,
    viewer: pageContext.viewer,
  });
  return (
    <>
      <PageHeader
        title={integration.name}
        state={
          <>
            <Badge>{TYPE_LABELS[integration.type]}</Badge>
            <Badge tone={integration.active ? 'success' : 'warning'}>
              {integration.active ? 'Active' : 'Inactive'}
            </Badge>
          </>
        }
      />
      {maySet && integration.type !== 'external_paging' && (
        <IntegrationTabs project={project} integration={integration} current={current} />
      )}
      {children}
    </>
  );
}

function IntegrationTabs({
  project,
  integration: { id, type },
  current,
}: Pick<IntegrationFrameProps, 'project' | 'integration' | 'current'>): VNode {
  const path = `${integrationsPath(project)}/${id}`;
  const addresses = {
    details: path,
    mapping: `${path}/mapping`,
    test: `${path}/test`,
    deliveries: `${path}/deliveries`,
  };
  const items = [
    { label: 'Details', href: addresses.details },
    ...(type === 'http' ? [{ label: 'Mapping', href: addresses.mapping }] : []),
    { label: 'Test alert', href: addresses.test },
    { label: 'Deliveries', href: addresses.deliveries },
  ];
  return <Tabs label="Integration" items={items} current={addresses[current]} />;
}

/**
 * Returns the title, breadcrumbs and navigation of an integration page; the breadcrumbs lead back
 * to the page that the viewer came from.
 */
export function integrationInfo(
  { project, viewer }: { project: ProjectRow; viewer: Viewer | null },
  title: string,
): PageInfo {
  const info = projectInfo(project, title);
  const steps = canInProject('admin_alert_integration', { ...project, viewer })
    ? [
        { label: 'Settings', href: `/${fullPathOf(project)}/-/edit` },
        { label: 'Alerts', href: alertSettingsPath(project) },
      ]
    : [{ label: 'Alerts', href: alertsPath(project) }];
  return { ...info, crumbs: [...(info.crumbs ?? []), ...steps] };
}
