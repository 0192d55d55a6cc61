import type { ComponentChildren, VNode } from 'preact';
import type { Viewer } from '../../../core/access/auth-context.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge, Card, PageHeader } from '../../../core/ui/components/content.js';
import { CopyField } from '../../../core/ui/components/copy.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { PageContext, PageInfo } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { alertSettingsPath, projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { fullPathOf, type ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { AlertIntegration } from '../../alert-integration.entity.js';
import type { FoundIntegration, IntegrationRow } from '../../alert-integrations.repository.js';
import { alertsPath, integrationsPath } from '../alert-paths.js';
import { IntegrationForm, TYPE_LABELS } from './integration-form.js';
import { SenderExamples } from './sender-examples.js';

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

/** State of the integration form. */
export interface FilledForm {
  /** As the form sends them, by the names of the API. */
  values: Record<string, unknown>;
  errors: FormProblems | null;
}

interface FormState extends FilledForm {
  pageContext: PageContext;
  project: ProjectRow;
}

/** Form for a new integration. */
export function NewIntegrationPage({ pageContext, project, values, errors }: FormState): VNode {
  return (
    <>
      <PageHeader title="New integration" />
      <Card>
        <IntegrationForm
          action={integrationsPath(project)}
          csrfToken={pageContext.csrfToken}
          values={values}
          errors={errors}
          type={null}
          cancel={alertSettingsPath(project)}
        />
      </Card>
    </>
  );
}

interface IntegrationPageProps extends FormState {
  integration: FoundIntegration;
  /** Webhook of the integration; null for external paging. */
  webhook: { url: string; token: string } | null;
}

/** URL and key of an integration with setup examples, its settings, and its deletion. */
export function IntegrationPage(props: IntegrationPageProps): VNode {
  const { pageContext, project, integration, webhook, values, errors } = props;
  const path = `${integrationsPath(project)}/${integration.id}`;
  return (
    <IntegrationFrame
      pageContext={pageContext}
      project={project}
      integration={integration}
      current="details"
    >
      {webhook !== null && (
        <WebhookCard {...{ pageContext, path, webhook }} name={integration.name} />
      )}
      {webhook !== null && <SenderExamples {...webhook} integration={integration} />}
      <Card title="Settings">
        <IntegrationForm
          action={path}
          csrfToken={pageContext.csrfToken}
          values={values}
          errors={errors}
          type={integration.type}
          cancel={alertSettingsPath(project)}
        />
      </Card>
      <DeleteCard {...{ pageContext, path, integration }} />
    </IntegrationFrame>
  );
}

type DeleteCardProps = Pick<IntegrationPageProps, 'pageContext' | 'integration'> & { path: string };

function DeleteCard({ pageContext, path, integration: { name, type } }: DeleteCardProps): VNode {
  const isPaging = type === 'external_paging';
  return (
    <Card title="Delete integration">
      <p>
        {isPaging
          ? 'Existing alerts are kept. Other integrations stay disabled until you enable them.'
          : 'Existing alerts are kept. New requests to this URL will be rejected.'}
      </p>
      <ConfirmButton
        label="Delete integration"
        title={`Delete integration “${name}”?`}
        question={`This permanently deletes ${name}${isPaging ? '' : ', its key and its deliveries'}.`}
        confirm="Delete integration"
        action={`${path}/delete`}
        csrfToken={pageContext.csrfToken}
      />
    </Card>
  );
}

interface WebhookCardProps {
  pageContext: PageContext;
  path: string;
  webhook: { url: string; token: string };
  /** Of the integration. */
  name: string;
}

function WebhookCard({ pageContext, path, webhook, name }: WebhookCardProps): VNode {
  return (
    <Card title="Webhook">
      <CopyField label="Webhook URL" value={webhook.url} hint="Accepts JSON by POST." />
      <CopyField
        label="Key"
        value={webhook.token}
        hint="Send it as “Authorization: Bearer …” or as the password of Basic authentication."
      />
      <ConfirmButton
        label="Reset key"
        title={`Reset key for “${name}”?`}
        question="The current key stops working immediately."
        confirm="Reset key"
        action={`${path}/reset`}
        csrfToken={pageContext.csrfToken}
        variant="outline"
      />
    </Card>
  );
}

/** Returns the initial values of the integration form. */
export function valuesOfIntegration({
  name,
  active,
  apiUrl,
}: Pick<IntegrationRow, 'name' | 'active' | 'apiUrl'>): Record<string, unknown> {
  return { name, active: String(active), api_url: apiUrl ?? '' };
}
