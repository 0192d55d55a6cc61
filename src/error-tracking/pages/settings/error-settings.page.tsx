import type { VNode } from 'preact';
import { Card } from '../../../core/ui/components/content.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { ProjectFrame } from '../../../workspace/projects/pages/project-frame.js';
import { ProjectSettingsTabs } from '../../../workspace/projects/pages/project-settings-tabs.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { dsnOf } from '../../client-keys/dsn.js';
import { trackerExternalUrl } from '../../settings/tracker-url.js';
import { errorSettingsPath, errorsPath } from '../../error-paths.js';
import { valuesOfSettings, type FilledForm } from './error-form-values.js';
import type { ErrorSetUp } from './error-set-ups.service.js';
import { KeysCard, type ShownKey } from './keys-card.js';
import { SdkCard } from './sdk-card.js';
import { TrackingForm } from './tracking-form.js';
import { UsageCard } from './usage-card.js';
import { ButtonLink, Button } from '../../../core/ui/components/button.js';
import { CopyField } from '../../../core/ui/components/copy-field.js';
import { PostButton, Form, FormActions } from '../../../core/ui/components/form.js';
import { CheckboxField } from '../../../core/ui/components/choice-fields.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import { given } from '../../../core/ui/form-input.decorator.js';

/** The form that was sent and is wrong: the other one shows what is stored. */
export interface RefusedForm {
  form: 'tracking' | 'storing';
  values: Record<string, unknown>;
  errors: FormProblems;
}

interface ErrorSettingsPageProps {
  pageContext: PageContext;
  project: ProjectRow;
  setUp: ErrorSetUp;
  refused: RefusedForm | null;
  /** Selected guide. */
  sdk: unknown;
}

/** Error tracking settings of a project, with its DSN and setup guides. */
export function ErrorSettingsPage(props: ErrorSettingsPageProps): VNode {
  const { pageContext, project, setUp, refused } = props;
  const { csrfToken } = pageContext;
  const path = errorSettingsPath(project);
  const isCollecting =
    setUp.isOffered && setUp.settings?.enabled === true && setUp.settings.integrated;
  const filled = (form: RefusedForm['form']): FilledForm =>
    refused?.form === form ? refused : { values: valuesOfSettings(setUp.settings), errors: null };
  return (
    <ProjectFrame project={project} viewer={pageContext.viewer} current="settings">
      <ProjectSettingsTabs project={project} current="errors" />
      <State setUp={setUp} />
      <TrackingForm {...{ action: path, csrfToken, ...setUp, ...filled('tracking') }} />
      {isCollecting && <Reporting {...props} path={path} />}
      <KeysCard path={`${path}/keys`} csrfToken={csrfToken} keys={shownKeys(props)} />
      <StoringForm {...{ action: `${path}/storing`, csrfToken, ...setUp, ...filled('storing') }} />
      <UsageCard {...setUp.usage} />
    </ProjectFrame>
  );
}

/** Explains a missing DSN. */
function State({ setUp: { settings, isOffered } }: Pick<ErrorSettingsPageProps, 'setUp'>) {
  if (!isOffered && settings?.integrated !== false) {
    return (
      <div class="alert" role="status" data-tone="alert">
        An administrator has switched the collecting of errors off for the whole instance. What
        programs send is refused; an external tracker can be set up instead.
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
      <Card title="Address for programs">
        <p>No key is active, so programs cannot report errors. Make a new key below.</p>
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
  setUp,
}: Pick<ErrorSettingsPageProps, 'pageContext' | 'setUp'>): ShownKey[] {
  return setUp.keys.map((key) => ({ ...key, dsn: dsnOf(key, pageContext.baseUrl) }));
}

interface DsnCardProps {
  /** Of the oldest key that is active. */
  dsn: string;
  testPath: string;
  errorsPath: string;
  csrfToken: string;
}

/** The one thing that programs need, and a way to see that errors arrive. */
function DsnCard({ dsn, testPath, errorsPath, csrfToken }: DsnCardProps): VNode {
  return (
    <Card title="Address for programs">
      <CopyField
        label="DSN"
        value={dsn}
        hint="Tells an SDK where to send errors. It is not a secret, but anyone who has it can send errors."
      />
      <div class="flex flex-wrap items-center gap-3">
        <PostButton action={testPath} csrfToken={csrfToken}>
          Send a test event
        </PostButton>
        <ButtonLink href={errorsPath} variant="ghost">
          Errors of the project
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
    <Card title="What is stored">
      <Form action={action} csrfToken={csrfToken} label="What is stored">
        <FormErrors errors={errors} />
        <ScrubFields values={values} errors={errors} />
        <TextField
          name="retention_days"
          value={given(values, 'retention_days')}
          errors={errors?.fields['retention_days']}
          type="number"
          label="Keep events for so many days"
          hint={`Empty: ${usualDays}, as everywhere in this instance. The first and the newest event of an error stay as long as the error.`}
          min={1}
          max={MOST_DAYS}
        />
        <FormActions>
          <Button>Save changes</Button>
        </FormActions>
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
        label="Remove what looks secret"
        hint="Passwords, tokens, API keys, cookies of sessions and numbers of credit cards become [Filtered]."
      />
      <CheckboxField
        {...tick('scrub_ip_addresses')}
        label="Remove IP addresses"
        hint="IP addresses of users and of the sender of the event."
      />
      <TextArea
        {...text('sensitive_fields')}
        label="More fields to remove"
        hint="One word per line, such as iban. Fields with the word in their name are removed."
      />
      <TextArea
        {...text('safe_fields')}
        label="Fields to keep"
        hint="One whole name per line, such as token_count. They are never removed for their names."
      />
    </>
  );
}
