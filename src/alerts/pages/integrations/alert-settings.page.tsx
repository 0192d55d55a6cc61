import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Badge, Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { Item, ItemList } from '../../../core/ui/components/list.js';
import { Time } from '../../../core/ui/components/time.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import { notificationSettingPath } from '../../../core/ui/addresses.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import {
  alertSettingsPath,
  ProjectSettingsTabs,
} from '../../../workspace/projects/pages/project-frame.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { integrationsPath } from '../alert-paths.js';
import { DeliveryStatus } from './deliveries.page.js';
import type { ListedIntegration } from '../../alert-integrations.repository.js';
import { CheckboxField, SelectField } from '../../../core/ui/components/choice-fields.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { ROLES } from '../../../identity/members/roles.js';
import { TYPE_LABELS } from './integration-form.js';

interface AlertSettingsPageProps {
  pageContext: PageContext;
  project: ProjectRow;
  integrations: ListedIntegration[];
  values: Record<string, unknown>;
  errors: FormProblems | null;
}

/** Integrations and alert rules of a project. */
export function AlertSettingsPage(props: AlertSettingsPageProps): VNode {
  const { pageContext, project, integrations, values, errors } = props;
  return (
    <>
      <PageHeader title="Settings" />
      <ProjectSettingsTabs project={project} current="alerts" />
      <Integrations project={project} integrations={integrations} />
      <SettingsForm
        action={alertSettingsPath(project)}
        notifications={notificationSettingPath({ kind: 'project', id: project.id })}
        csrfToken={pageContext.csrfToken}
        values={values}
        errors={errors}
      />
    </>
  );
}

function Integrations({
  project,
  integrations,
}: Pick<AlertSettingsPageProps, 'project' | 'integrations'>): VNode {
  const path = integrationsPath(project);
  const isEmpty = integrations.length === 0;
  const create = (
    <ButtonLink href={`${path}/new`} variant={isEmpty ? 'primary' : 'outline'} size="small">
      New integration
    </ButtonLink>
  );
  if (isEmpty) {
    return (
      <EmptyState title="No integrations yet" action={create}>
        Create an integration to get a URL and a key for Prometheus Alertmanager, Grafana or any
        tool with webhooks.
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
          <Badge tone={active ? 'success' : 'neutral'}>{active ? 'Active' : 'Inactive'}</Badge>
        </>
      }
    >
      <div class="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span>{TYPE_LABELS[type]}</span>
        {type !== 'external_paging' && (
          <span class="flex flex-wrap items-center gap-x-2 gap-y-1">
            {lastDelivery === null ? (
              'No deliveries yet'
            ) : (
              <>
                <DeliveryStatus status={lastDelivery.status} />
                <a href={`${path}/${id}/deliveries`}>
                  Last delivery <Time value={lastDelivery.at} />
                </a>
              </>
            )}
          </span>
        )}
      </div>
    </Item>
  );
}

const MOST_HOURS = 8760;

const READERS = [
  { value: String(ROLES.developer), label: 'Developers, maintainers and owners' },
  { value: String(ROLES.maintainer), label: 'Maintainers and owners' },
  { value: String(ROLES.owner), label: 'Owners' },
];

interface SettingsFormProps {
  action: string;
  /** The viewer's own notification settings of the project. */
  notifications: string;
  csrfToken: string;
  /** By the names of the API. */
  values: Record<string, unknown>;
  errors: FormProblems | null;
}

/** Form of a project's alert settings. */
function SettingsForm(props: SettingsFormProps): VNode {
  const { action, notifications, csrfToken, values, errors } = props;
  const field = (name: string) => ({ name, errors: errors?.fields[name] });
  const tick = (name: string) => ({ ...field(name), checked: String(values[name]) === 'true' });
  return (
    <Form
      action={action}
      csrfToken={csrfToken}
      label="Alert settings"
      class="grid w-full grid-cols-1 gap-2.5"
    >
      <FormErrors errors={errors} />
      <Card title="Incidents">
        <CheckboxField {...tick('create_issue')} label="Create an incident for each new alert" />
        <TextField
          {...field('issue_template_key')}
          label="Incident template"
          hint="Template appended to incident descriptions: file name without .md in .guildhall/issue_templates or .gitlab/issue_templates."
          value={textOf(values['issue_template_key'])}
          maxLength={255}
        />
        <CheckboxField
          {...tick('confidential_incidents')}
          label="Confidential incidents"
          hint="Visible to the author, assignees and members with at least the Reporter role."
        />
        <CheckboxField
          {...tick('auto_close_incident')}
          label="Close incidents automatically"
          hint="When all alerts of the incident are resolved."
        />
      </Card>
      <Card title="Emails">
        <CheckboxField
          {...tick('send_email')}
          label="Send email notifications"
          hint={
            <>
              For new alerts and recoveries. Recipients can opt out.{' '}
              <a class="prose-link" href={notifications}>
                Your notification settings
              </a>
            </>
          }
        />
        <SelectField
          {...field('email_access_level')}
          label="Recipients"
          options={READERS}
          value={textOf(values['email_access_level'])}
        />
      </Card>
      <Card title="Recovery">
        <TextField
          {...field('auto_resolve_hours')}
          type="number"
          label="Auto-resolve inactive alerts after (hours)"
          hint="Leave blank to disable."
          value={textOf(values['auto_resolve_hours'])}
          min={1}
          max={MOST_HOURS}
        />
      </Card>
      <FormActions submit="Save changes" />
    </Form>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
