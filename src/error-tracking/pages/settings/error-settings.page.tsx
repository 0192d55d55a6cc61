import type { VNode } from 'preact';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { CopyField } from '../../../core/ui/components/copy.js';
import { Form, FormActions, FormErrors, PostButton } from '../../../core/ui/components/form.js';
import { given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import {
  errorSettingsPath,
  ProjectSettingsTabs,
} from '../../../workspace/projects/pages/project-frame.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { ClientKey } from '../../client-keys/client-keys.repository.js';
import { dsnOf } from '../../client-keys/dsn.js';
import { trackerExternalUrl } from '../../settings/tracker-url.js';
import { errorsPath } from '../../error-paths.js';
import { valuesOfSettings, type FilledForm } from './error-settings-forms.js';
import type { ErrorTrackingSetting } from '../../error-tracking-setting.entity.js';
import type { ErrorUsageResponse } from '../../settings/error-usage.service.js';
import { KeysCard, type ShownKey, SdkCard, TrackingForm } from './error-settings-cards.js';
import { UsageCard } from './usage-card.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { CheckboxField } from '../../../core/ui/components/choice-fields.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';

/** All that the page of a project's settings shows. */
export interface ErrorTrackingSetup {
  /** null when the project never chose anything. */
  settings: ErrorTrackingSetting | null;
  keys: ClientKey[];
  usage: { days: string[]; rows: ErrorUsageResponse[] };
  /** True if the instance enables the built-in backend. */
  isOffered: boolean;
  /** Default retention of events in days. */
  usualDays: number;
}

/** The submitted form with its errors; the other form shows the stored settings. */
export interface RefusedForm {
  form: 'tracking' | 'storing';
  values: Record<string, unknown>;
  errors: FormProblems;
}

interface ErrorSettingsPageProps {
  pageContext: PageContext;
  project: ProjectRow;
  setup: ErrorTrackingSetup;
  refused: RefusedForm | null;
  /** Selected guide. */
  sdk: unknown;
}

/** Error tracking settings of a project, with its DSN and setup guides. */
export function ErrorSettingsPage(props: ErrorSettingsPageProps): VNode {
  const { pageContext, project, setup, refused } = props;
  const { csrfToken } = pageContext;
  const path = errorSettingsPath(project);
  const isCollecting =
    setup.isOffered && setup.settings?.enabled === true && setup.settings.integrated;
  const filled = (form: RefusedForm['form']): FilledForm =>
    refused?.form === form ? refused : { values: valuesOfSettings(setup.settings), errors: null };
  return (
    <>
      <PageHeader title="Settings" />
      <ProjectSettingsTabs project={project} current="errors" />
      <State setup={setup} />
      {isCollecting && <Reporting {...props} path={path} />}
      <TrackingForm {...{ action: path, csrfToken, ...setup, ...filled('tracking') }} />
      <KeysCard path={`${path}/keys`} csrfToken={csrfToken} keys={shownKeys(props)} />
      <StoringForm {...{ action: `${path}/storing`, csrfToken, ...setup, ...filled('storing') }} />
      <UsageCard {...setup.usage} />
    </>
  );
}

/** Explains a missing DSN. */
function State({ setup: { settings, isOffered } }: Pick<ErrorSettingsPageProps, 'setup'>) {
  if (!isOffered && settings?.integrated !== false) {
    return (
      <div class="alert" role="status" data-tone="alert">
        An administrator has disabled the built-in error tracking backend for this instance. New
        events are rejected; an external tracker can be set up instead.
      </div>
    );
  }
  if (settings?.enabled === true && !settings.integrated && settings.apiUrl !== null) {
    const address = trackerExternalUrl(settings.apiUrl);
    return (
      <div class="alert" role="status" data-tone="notice">
        <p>
          Errors of this project are collected by an external tracker:{' '}
          <a class="prose-link wrap-anywhere" href={address} rel="nofollow noopener noreferrer">
            {address}
          </a>
        </p>
      </div>
    );
  }
  return null;
}

/** Address, test event and guides; for projects that have a key to report by. */
function Reporting(props: ErrorSettingsPageProps & { path: string }): VNode {
  const { pageContext, project, sdk, path } = props;
  const first = shownKeys(props).find(({ active }) => active);
  if (first === undefined) {
    return (
      <Card title="DSN">
        <p>No active key. Create a key to report errors.</p>
      </Card>
    );
  }
  return (
    <>
      <DsnCard
        dsn={first.dsn}
        testPath={`${path}/test`}
        errorsPath={errorsPath(project)}
        csrfToken={pageContext.csrfToken}
      />
      <SdkCard path={path} dsn={first.dsn} sdk={sdk} />
    </>
  );
}

function shownKeys({
  pageContext,
  setup,
}: Pick<ErrorSettingsPageProps, 'pageContext' | 'setup'>): ShownKey[] {
  return setup.keys.map((key) => ({ ...key, dsn: dsnOf(key, pageContext.baseUrl) }));
}

interface DsnCardProps {
  /** Of the oldest key that is active. */
  dsn: string;
  testPath: string;
  errorsPath: string;
  csrfToken: string;
}

/** The DSN, and a button that sends a test event. */
function DsnCard({ dsn, testPath, errorsPath, csrfToken }: DsnCardProps): VNode {
  return (
    <Card title="DSN">
      <CopyField label="DSN" value={dsn} hint="Public key for SDKs. Safe to ship in client code." />
      <div class="flex flex-wrap items-center gap-3">
        <PostButton action={testPath} csrfToken={csrfToken}>
          Send test event
        </PostButton>
        <ButtonLink href={errorsPath} variant="ghost">
          View errors
        </ButtonLink>
      </div>
    </Card>
  );
}

interface StoringFormProps extends FilledForm {
  action: string;
  csrfToken: string;
  /** Default retention of the instance in days. */
  usualDays: number;
}

const MOST_DAYS = 365;

/** Form of data scrubbing and retention. */
function StoringForm(props: StoringFormProps): VNode {
  const { action, csrfToken, usualDays, values, errors } = props;
  return (
    <Card title="Data storage">
      <Form action={action} csrfToken={csrfToken} label="Data storage">
        <FormErrors errors={errors} />
        <ScrubFields values={values} errors={errors} />
        <TextField
          name="retention_days"
          value={given(values, 'retention_days')}
          errors={errors?.fields['retention_days']}
          type="number"
          label="Retention (days)"
          hint={`Default: ${usualDays}. The first and the newest event of an error are kept as long as the error.`}
          min={1}
          max={MOST_DAYS}
        />
        <FormActions submit="Save changes" />
      </Form>
    </Card>
  );
}

function ScrubFields({ values, errors }: FilledForm): VNode {
  const field = (name: string) => ({ name, errors: errors?.fields[name] });
  const tick = (name: string) => ({ ...field(name), checked: given(values, name) === 'true' });
  const text = (name: string) => ({ ...field(name), value: given(values, name), code: true });
  return (
    <>
      <CheckboxField
        {...tick('scrub_data')}
        label="Scrub sensitive data"
        hint="Passwords, tokens, API keys, session cookies and credit card numbers become [Filtered]."
      />
      <CheckboxField
        {...tick('scrub_ip_addresses')}
        label="Remove IP addresses"
        hint="IP addresses of users and of the sender of the event."
      />
      <TextArea
        {...text('sensitive_fields')}
        label="Additional sensitive fields"
        hint="One per line, such as iban. Matched anywhere in the field name."
      />
      <TextArea
        {...text('safe_fields')}
        label="Safe fields"
        hint="One full name per line, such as token_count. Never scrubbed by name."
      />
    </>
  );
}
