import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { Card } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { TextArea } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { IntegrationRow } from '../../alert-integrations.repository.js';
import type { TouchedAlert } from '../../parsing/incoming-alert.js';
import { alertPath, alertsPath, integrationsPath } from '../alert-paths.js';
import { IntegrationFrame } from './integration.page.js';

/** State of the test alert form. */
export interface TestAlertState {
  payload: string;
  errors: FormProblems | null;
  /** Alerts that the previous test created or updated. */
  touched: TouchedAlert[];
}

interface TestAlertPageProps extends TestAlertState {
  pageContext: PageContext;
  project: ProjectRow;
  integration: IntegrationRow;
}

/** Sends a payload to the integration. */
export function TestAlertPage(props: TestAlertPageProps): VNode {
  const { pageContext, project, integration, touched } = props;
  return (
    <IntegrationFrame
      pageContext={pageContext}
      project={project}
      integration={integration}
      current="test"
    >
      {touched.length > 0 && <Touched project={project} touched={touched} />}
      <Card title="Send a test alert">
        {integration.active ? (
          <p class="text-muted-foreground max-w-2xl">
            Creates a real alert and triggers the same incidents and emails.
          </p>
        ) : (
          <p>Inactive integrations reject alerts. Enable the integration to send a test alert.</p>
        )}
        <PayloadForm {...props} />
      </Card>
    </IntegrationFrame>
  );
}

function PayloadForm(props: TestAlertPageProps): VNode {
  const { pageContext, project, integration, payload, errors } = props;
  return (
    <Form
      action={`${integrationsPath(project)}/${integration.id}/test`}
      csrfToken={pageContext.csrfToken}
      label="Test alert"
    >
      <FormErrors errors={errors} />
      <TextArea
        name="payload"
        label="Payload (JSON)"
        value={payload}
        errors={errors?.fields['payload']}
        rows={12}
        required
        code
      />
      <FormActions>
        <Button disabled={!integration.active}>Send test alert</Button>
        <ButtonLink href={alertsPath(project)} variant="ghost">
          View alerts
        </ButtonLink>
      </FormActions>
    </Form>
  );
}

function Touched({ project, touched }: Pick<TestAlertPageProps, 'project' | 'touched'>): VNode {
  return (
    <div class="alert" role="status" data-tone="notice">
      <p class="font-semibold">Result:</p>
      <ul class="w-full">
        {touched.map(({ iid, title }) => (
          <li key={iid}>
            <a href={alertPath(project, iid)}>
              Alert #{iid}: {title}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
