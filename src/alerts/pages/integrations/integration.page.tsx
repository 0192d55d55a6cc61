import type { VNode } from 'preact';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { CopyField } from '../../../core/ui/components/copy-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { FoundIntegration, IntegrationRow } from '../../alert-integrations.repository.js';
import { alertSettingsPath } from '../../../workspace/projects/pages/settings-paths.js';
import { integrationsPath } from '../alert-paths.js';
import { IntegrationForm } from './integration-form.js';
import { IntegrationFrame } from './integration-frame.js';
import { SenderExamples } from './sender-examples.js';

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
