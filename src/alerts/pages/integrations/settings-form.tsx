import type { VNode } from 'preact';
import { Button } from '../../../core/ui/components/button.js';
import { CheckboxField, SelectField } from '../../../core/ui/components/choice-fields.js';
import { Card } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import { ROLES } from '../../../members/roles.js';

const MOST_HOURS = 8760;

const READERS = [
  { value: String(ROLES.developer), label: 'Developers, maintainers and owners' },
  { value: String(ROLES.maintainer), label: 'Maintainers and owners' },
  { value: String(ROLES.owner), label: 'Owners' },
];

interface SettingsFormProps {
  action: string;
  csrfToken: string;
  /** By the names of the API. */
  values: Record<string, unknown>;
  errors: FormProblems | null;
}

/** Form of a project's alert settings. */
export function SettingsForm({ action, csrfToken, values, errors }: SettingsFormProps): VNode {
  const field = (name: string) => ({ name, errors: errors?.fields[name] });
  const tick = (name: string) => ({ ...field(name), checked: String(values[name]) === 'true' });
  return (
    <Card title="What happens when an alert comes">
      <Form action={action} csrfToken={csrfToken} label="Alert settings">
        <FormErrors errors={errors} />
        <CheckboxField
          {...tick('create_issue')}
          label="Open an incident"
          hint="One for each alert that has none."
        />
        <TextField
          {...field('issue_template_key')}
          label="Issue template"
          hint="Name of a file in .gitlab/issue_templates or .guildhall/issue_templates, without its ending. Its text ends the description of every incident."
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
          label="Close the incident when the alert recovers"
          hint="Once all alerts of the incident are resolved."
        />
        <CheckboxField
          {...tick('send_email')}
          label="Send e-mails"
          hint="When an alert fires and when it recovers."
        />
        <SelectField
          {...field('email_access_level')}
          label="Who gets the e-mails"
          options={READERS}
          value={textOf(values['email_access_level'])}
        />
        <TextField
          {...field('auto_resolve_hours')}
          type="number"
          label="Resolve alerts that were not heard of for so many hours"
          hint="Empty: never."
          value={textOf(values['auto_resolve_hours'])}
          min={1}
          max={MOST_HOURS}
        />
        <FormActions>
          <Button>Save changes</Button>
        </FormActions>
      </Form>
    </Card>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
