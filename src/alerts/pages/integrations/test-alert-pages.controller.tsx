import { Controller, Get, Post, Query } from '@nestjs/common';
import type { VNode } from 'preact';
import { ApiError, NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { Card } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextArea } from '../../../core/ui/components/text-field.js';
import { FormInput, given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import {
  AlertIntegrationsRepository,
  type FoundIntegration,
  type IntegrationRow,
} from '../../alert-integrations.repository.js';
import type { TouchedAlert } from '../../ingest/alert-source.js';
import { payloadOfText, TestAlerts } from '../../integrations/test-alerts.service.js';
import { AlertsRepository } from '../../alerts.repository.js';
import { alertPath, alertsPath, integrationsPath } from '../alert-paths.js';
import { IntegrationFrame, integrationInfo } from './integration.page.js';
import { samplePayload } from './sender-examples.js';

/** State of the test alert form. */
interface TestAlertState {
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
function TestAlertPage(props: TestAlertPageProps): VNode {
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

/** Test alerts of an integration; for the project's developers. */
@Controller(atRoot('*project_path/-/settings/alert_integrations/:id/test'))
export class TestAlertPagesController {
  constructor(
    private readonly integrations: AlertIntegrationsRepository,
    private readonly tests: TestAlerts,
    private readonly alerts: AlertsRepository,
  ) {}

  /** Shows a form with the integration's example or a sample, and what the test before touched. */
  @Get()
  @ProjectPage('send_test_alert', 'signed_in')
  async form(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @Query('touched') touched: unknown,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const integration = await this.find(project, id);
    const iids = iidsOf(touched);
    const found = iids.length === 0 ? null : await this.alerts.list(project, { iids }, paging);
    return show(
      pageContext,
      { project, integration },
      {
        payload: samplePayload(integration),
        errors: null,
        touched: found?.items ?? [],
      },
    );
  }

  /** Sends the payload; shows it again with what is wrong. */
  @Post()
  @ProjectPage('send_test_alert', 'signed_in')
  async send(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const integration = await this.find(project, id);
    const payload = given(form, 'payload');
    try {
      const touched = await this.tests.send(project, integration, payloadOfText(payload));
      return pageContext.redirect(addressAfter(project, id, touched), {
        notice: 'Test alert sent.',
      });
    } catch (error) {
      const state = { payload, errors: refusalOf(error), touched: [] };
      return show(pageContext, { project, integration }, state);
    }
  }

  /** Nothing can be sent to external paging. */
  private async find(project: ProjectRow, id: number): Promise<FoundIntegration> {
    const integration = await this.integrations.get(project.id, id);
    if (integration.type === 'external_paging') throw new NotFoundError();
    return integration;
  }
}

const MOST_NAMED = 20;

function addressAfter(project: ProjectRow, id: number, touched: TouchedAlert[]): string {
  const iids = touched.slice(0, MOST_NAMED).map(({ iid }) => iid);
  return `${integrationsPath(project)}/${id}/test?touched=${iids.join(',')}`;
}

/** Ignores values that are not iids: the parameter comes from the URL. */
function iidsOf(touched: unknown): number[] {
  if (typeof touched !== 'string' || !/^\d{1,15}(?:,\d{1,15})*$/.test(touched)) return [];
  return touched.split(',').slice(0, MOST_NAMED).map(Number);
}

const REFUSALS: Record<number, string> = {
  400: 'The payload is not a JSON object within the limits, or it resolves an alert that is not open.',
  403: 'The integration is inactive, or the project is archived.',
  422: 'The payload is not in the Prometheus Alertmanager format.',
};

function refusalOf(error: unknown): FormProblems {
  const text = error instanceof ApiError ? REFUSALS[error.status] : undefined;
  if (text === undefined) throw error;
  return { fields: { payload: [text] }, general: [] };
}

function show(
  pageContext: PageContext,
  target: { project: ProjectRow; integration: FoundIntegration },
  state: TestAlertState,
): HttpResponse {
  const page = TestAlertPage({ pageContext, ...target, ...state });
  const info = integrationInfo(
    { ...target, viewer: pageContext.viewer },
    `Test ${target.integration.name}`,
  );
  return pageContext.render(page, info, state.errors === null ? 200 : 422);
}
