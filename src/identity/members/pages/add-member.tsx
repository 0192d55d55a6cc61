import type { VNode } from 'preact';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { roleOptions, ROLES } from '../roles.js';
import type { MembersPageProps } from './members.page.js';

const NOTHING = { username: '', accessLevel: String(ROLES.developer), expiresAt: '' };

/** The form for a new member, behind its button. */
export function AddMember(props: MembersPageProps): VNode {
  const { pageContext, context } = props;
  const { kind } = context.source;
  return (
    <ConfirmButton
      label="Add member"
      title={`Add a member to this ${kind}`}
      question={`Members get access to this ${kind}${kind === 'group' ? ' and everything in it' : ''}.`}
      confirm="Add member"
      action={context.path}
      csrfToken={pageContext.csrfToken}
      variant="primary"
    >
      <MemberFields {...props} />
    </ConfirmButton>
  );
}

/** The form again, with its errors. */
export function RefusedMember(props: MembersPageProps): VNode {
  const { pageContext, context, errors } = props;
  return (
    <Card title="Add member">
      <Form action={context.path} csrfToken={pageContext.csrfToken} label="Add member">
        <FormErrors errors={errors} />
        <MemberFields {...props} />
        <FormActions submit="Add member" />
      </Form>
    </Card>
  );
}

function MemberFields({ context, errors, values = NOTHING }: MembersPageProps): VNode {
  return (
    <>
      <TextField
        name="username"
        label="Username or email"
        value={values.username}
        errors={errors?.fields['username']}
        autocomplete="off"
        required
      />
      <SelectField
        name="access_level"
        label="Role"
        options={roleOptions(context.manager.level)}
        value={values.accessLevel}
        errors={errors?.fields['access_level']}
        required
      />
      <TextField
        type="date"
        name="expires_at"
        label="Expires"
        hint="Access ends at 00:00 UTC of this day."
        value={values.expiresAt}
        errors={errors?.fields['expires_at']}
      />
    </>
  );
}
