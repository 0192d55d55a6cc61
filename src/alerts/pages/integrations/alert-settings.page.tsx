import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Badge, Card, EmptyState } from '../../../core/ui/components/content.js';
import { Item, ItemList } from '../../../core/ui/components/item-list.js';
import { Time } from '../../../core/ui/components/time.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { PageShell } from '../../../core/ui/shell.js';
import { ProjectFrame } from '../../../projects/pages/project-frame.js';
import { ProjectSettingsTabs } from '../../../projects/pages/project-settings-tabs.js';
import type { ProjectRow } from '../../../projects/projects.repository.js';
import { alertSettingsPath, integrationsPath } from '../alert-paths.js';
import { DeliveryStatus } from './delivery-status.js';
import { TYPE_LABELS } from './type-labels.js';
import type { ListedIntegration } from '../../alert-integrations.repository.js';
import { SettingsForm } from './settings-form.js';

interface AlertSettingsPageProps {
  shell: PageShell;
  project: ProjectRow;
  integrations: ListedIntegration[];
  values: Record<string, unknown>;
  errors: FormProblems | null;
}

/** Integrations of a project, and what it does about alerts. */
export function AlertSettingsPage(props: AlertSettingsPageProps): VNode {
  const { shell, project, integrations, values, errors } = props;
  return (
    <ProjectFrame project={project} viewer={shell.viewer} current="settings">
      <ProjectSettingsTabs project={project} current="alerts" />
      <Integrations project={project} integrations={integrations} />
      <SettingsForm
        action={alertSettingsPath(project)}
        csrfToken={shell.csrfToken}
        values={values}
        errors={errors}
      />
    </ProjectFrame>
  );
}

function Integrations({
  project,
  integrations,
}: Pick<AlertSettingsPageProps, 'project' | 'integrations'>): VNode {
  const path = integrationsPath(project);
  const create = <ButtonLink href={`${path}/new`}>New integration</ButtonLink>;
  if (integrations.length === 0) {
    return (
      <EmptyState title="No integrations yet" action={create}>
        An integration gives a monitoring tool an address and a key to post its alerts with.
      </EmptyState>
    );
  }
  return (
    <Card title="Integrations" actions={create} flush>
      <ItemList label="Integrations">
        {integrations.map((integration) => (
          <IntegrationLine key={integration.id} integration={integration} path={path} />
        ))}
      </ItemList>
    </Card>
  );
}

function IntegrationLine({
  integration,
  path,
}: {
  integration: ListedIntegration;
  path: string;
}): VNode {
  const { id, type, name, active, lastDelivery } = integration;
  return (
    <Item
      title={
        <>
          <a class="prose-link wrap-anywhere" href={`${path}/${id}`}>
            {name}
          </a>
          <Badge tone={active ? 'success' : 'neutral'}>{active ? 'Active' : 'Switched off'}</Badge>
        </>
      }
    >
      <div class="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span>{TYPE_LABELS[type]}</span>
        {type !== 'external_paging' && (
          <span class="flex flex-wrap items-center gap-x-2 gap-y-1">
            Last delivery: <Time value={lastDelivery?.at ?? null} none="never" />
            {lastDelivery !== null && <DeliveryStatus status={lastDelivery.status} />}
          </span>
        )}
      </div>
    </Item>
  );
}
