import type { VNode } from 'preact';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge, Card } from '../../../core/ui/components/content.js';
import { Copyable, CopyableCode } from '../../../core/ui/components/copy.js';
import { Form, FormActions, FormErrors, PostButton } from '../../../core/ui/components/form.js';
import { ActionsCell, Cell, Table } from '../../../core/ui/components/table.js';
import { Time } from '../../../core/ui/components/time.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { given } from '../../../core/ui/forms.js';
import type { GuideStep } from './sdk-guide.js';
import { guideNamed, SDK_GUIDES } from './sdk-guides.js';
import { CheckboxField, RadioGroup } from '../../../core/ui/components/choice-fields.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FilledForm } from './error-settings-forms.js';

interface TrackingFormProps extends FilledForm {
  action: string;
  csrfToken: string;
  /** True if the instance enables the built-in backend. */
  isOffered: boolean;
}

const MAX_LENGTH = 255;

/** Form that enables error tracking and selects the backend. */
export function TrackingForm(props: TrackingFormProps): VNode {
  const { action, csrfToken, isOffered, values, errors } = props;
  return (
    <Card title="Error tracking">
      <Form
        action={action}
        csrfToken={csrfToken}
        label="Error tracking"
        class="group/tracking form"
      >
        <FormErrors errors={errors} />
        <CheckboxField
          name="enabled"
          label="Enable error tracking"
          hint="Disabling keeps keys and errors, and rejects new events."
          checked={given(values, 'enabled') === 'true'}
          errors={errors?.fields['enabled']}
        />
        <RadioGroup
          name="integrated"
          label="Backend"
          options={backends(isOffered)}
          value={given(values, 'integrated')}
          errors={errors?.fields['integrated']}
        />
        <TrackerFields values={values} errors={errors} />
        <FormActions submit="Save changes" />
      </Form>
    </Card>
  );
}

function backends(isOffered: boolean) {
  const here = isOffered
    ? 'Applications report errors to this instance.'
    : 'Disabled by an administrator for this instance.';
  return [
    { value: 'true', label: 'Built-in', hint: here },
    {
      value: 'false',
      label: 'External',
      hint: 'Sentry-compatible. This project links to it.',
    },
  ];
}

/**
 * Fields of an external tracker, hidden for the built-in backend. The URL is text: browsers do
 * not send a form with an invalid URL field.
 */
function TrackerFields({ values, errors }: FilledForm): VNode {
  const field = (name: string) => ({
    name,
    value: given(values, name),
    errors: errors?.fields[name],
  });
  return (
    <div class="contents group-has-[#field-integrated-true:checked]/tracking:hidden">
      <TextField
        {...field('api_url')}
        bare
        label="API URL"
        hint="API URL of the project, such as https://sentry.example.com/api/0/projects/acme/shop/."
        maxLength={MAX_LENGTH}
      />
      <TextField
        {...field('token')}
        bare
        label="Token"
        hint="Stored encrypted. Cleared when the API URL changes without a new token."
        autocomplete="off"
        maxLength={MAX_LENGTH}
      />
      <TextField
        {...field('project_name')}
        label="Project name in the tracker"
        maxLength={MAX_LENGTH}
      />
    </div>
  );
}

/** A client key as it is shown. */
export interface ShownKey {
  id: number;
  publicKey: string;
  dsn: string;
  active: boolean;
  createdAt: Date;
}

interface KeysCardProps {
  /** Keys are made there, and deleted below. */
  path: string;
  csrfToken: string;
  keys: ShownKey[];
}

const COLUMNS = [
  { label: 'Key and DSN' },
  { label: 'Created' },
  { label: 'State' },
  { label: 'Actions', hidden: true, align: 'end' as const },
];

/** Client keys of a project. */
export function KeysCard({ path, csrfToken, keys }: KeysCardProps): VNode {
  const create = (
    <PostButton action={path} csrfToken={csrfToken}>
      New key
    </PostButton>
  );
  return (
    <Card title="Client keys" actions={create} flush={keys.length > 0}>
      <section>
        <p class="text-muted-foreground">
          Client keys can only submit events. To rotate: create a key, deploy it, delete the old
          one.
        </p>
      </section>
      {keys.length > 0 && (
        <Table caption="Client keys" columns={COLUMNS} stacked>
          {keys.map((key) => (
            <KeyRow key={key.id} shown={key} path={path} csrfToken={csrfToken} />
          ))}
        </Table>
      )}
    </Card>
  );
}

function KeyRow({
  shown,
  path,
  csrfToken,
}: Pick<KeysCardProps, 'path' | 'csrfToken'> & { shown: ShownKey }): VNode {
  const { id, publicKey, dsn, active, createdAt } = shown;
  return (
    <tr>
      <Cell wrap>
        <CopyableCode label="Copy DSN" value={dsn} />
      </Cell>
      <Cell label="Created">
        <Time value={createdAt} />
      </Cell>
      <Cell>
        <Badge tone={active ? 'success' : 'neutral'}>{active ? 'Active' : 'Inactive'}</Badge>
      </Cell>
      <ActionsCell>
        <ConfirmButton
          label="Delete"
          title={`Delete client key ${publicKey}?`}
          question={`Applications using ${publicKey} can no longer submit events.`}
          confirm="Delete key"
          action={`${path}/${id}/delete`}
          csrfToken={csrfToken}
          size="small"
        />
      </ActionsCell>
    </tr>
  );
}

interface SdkCardProps {
  /** Of the page that the card is on. */
  path: string;
  dsn: string;
  /** Selected guide; anything but the name of a guide selects the first. */
  sdk: unknown;
}

/** Setup guides for all platforms, with the project's DSN filled in. */
export function SdkCard({ path, dsn, sdk }: SdkCardProps): VNode {
  const guide = guideNamed(sdk);
  const addressOf = (name: string): string => `${path}?sdk=${name}#sdk`;
  return (
    <div id="sdk" class="scroll-mt-4">
      <Card title="Set up an SDK">
        <p>
          Use any Sentry SDK with this DSN. Most server SDKs also read it from the environment
          variable <code>SENTRY_DSN</code>.
        </p>
        <Tabs
          label="Language or framework"
          items={SDK_GUIDES.map(({ name, label }) => ({ label, href: addressOf(name) }))}
          current={addressOf(guide.name)}
        />
        <Steps steps={guide.steps(dsn)} />
        {guide.note !== undefined && <p class="text-muted-foreground text-sm">{guide.note}</p>}
      </Card>
    </div>
  );
}

function Steps({ steps }: { steps: readonly GuideStep[] }): VNode {
  return (
    <ol class="grid grid-cols-1 gap-4">
      {steps.map(({ title, code }, index) => (
        <li key={title}>
          <h3 class="text-sm font-medium">
            {index + 1}. {title}
          </h3>
          <Copyable noun="code">
            <pre tabIndex={0} role="region" aria-label={title}>
              {code}
            </pre>
          </Copyable>
        </li>
      ))}
    </ol>
  );
}
