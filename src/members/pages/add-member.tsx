import type { VNode } from 'preact';
import { Button } from '../../core/ui/components/button.js';
import { SelectField } from '../../core/ui/components/choice-fields.js';
import { Card } from '../../core/ui/components/content.js';
import { Form, FormActions } from '../../core/ui/components/form.js';
import { FormErrors } from '../../core/ui/components/form-errors.js';
import { TextField } from '../../core/ui/components/text-field.js';
import type { FormProblems } from '../../core/ui/form-errors.js';
import type { PageShell } from '../../core/ui/shell.js';
import { ROLES } from '../roles.js';
import type { MembersPlace } from './members-place.js';
import { roleOptions } from './role-options.js';

interface AddMemberProps {
  shell: PageShell;
  place: MembersPlace;
  errors: FormProblems | null;
  values: { username: string; accessLevel: string; expiresAt: string } | undefined;
}

const NOTHING = { username: '', accessLevel: String(ROLES.developer), expiresAt: '' };

/** The form for a new member. */
export function AddMemberCard({ shell, place, errors, values = NOTHING }: AddMemberProps): VNode {
  return (
    <Card title="Add a member">
      <Form action={place.path} csrfToken={shell.csrfToken} label="Add a member">
        <FormErrors errors={errors} />
        <div class="grid gap-4 md:grid-cols-3">
          <TextField
            name="username"
            label="Username or e-mail address"
            value={values.username}
            errors={errors?.fields['username']}
            autocomplete="off"
            required
          />
          <SelectField
            name="access_level"
            label="Role"
            options={roleOptions(place.manager.level)}
            value={values.accessLevel}
            errors={errors?.fields['access_level']}
            required
          />
          <TextField
            type="date"
            name="expires_at"
            label="Ends on"
            value={values.expiresAt}
            errors={errors?.fields['expires_at']}
          />
        </div>
        <FormActions>
          <Button>Add member</Button>
        </FormActions>
      </Form>
    </Card>
  );
}
