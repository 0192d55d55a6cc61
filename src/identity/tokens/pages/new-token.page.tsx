import type { VNode } from 'preact';
import type { Scope } from '../../../core/access/scopes.js';
import { ScopeFields } from '../../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { PossibleDays } from '../token-expiry.service.js';
import { TOKENS_PATH } from './personal-tokens.page.js';

/** Values as the form shows them. */
export interface NewTokenValues {
  name: string;
  description: string;
  /** `YYYY-MM-DD` or empty. */
  expires_at: string;
  scopes: readonly string[];
}

interface NewTokenPageProps {
  values: NewTokenValues;
  /** Those that the user can choose. */
  scopes: readonly Scope[];
  days: PossibleDays;
  errors?: FormProblems;
  csrfToken: string;
}

/** The form for a personal access token. */
export function NewTokenPage(props: NewTokenPageProps): VNode {
  const { errors, csrfToken } = props;
  return (
    <>
      <PageHeader title="New access token" />
      <Card>
        <Form action={TOKENS_PATH} csrfToken={csrfToken}>
          <FormErrors errors={errors} />
          <NewTokenFields {...props} />
          <FormActions submit="Create token" cancel={TOKENS_PATH} />
        </Form>
      </Card>
    </>
  );
}

type NewTokenFieldsProps = Omit<NewTokenPageProps, 'csrfToken'>;

/** Name, description, expiry date and scopes of a token. */
export function NewTokenFields(props: NewTokenFieldsProps): VNode {
  const { values, scopes, errors } = props;
  return (
    <>
      <TextField
        name="name"
        label="Name"
        hint="Shown in the list of tokens"
        value={values.name}
        errors={errors?.fields['name']}
        required
        maxLength={255}
        autocomplete="off"
      />
      <TextField
        name="description"
        label="Description"
        value={values.description}
        errors={errors?.fields['description']}
        maxLength={255}
      />
      <ExpiryField {...props} />
      <ScopeFields
        scopes={scopes}
        values={values.scopes}
        hint="Select the minimum the application needs."
        errors={errors?.fields['scopes']}
      />
    </>
  );
}

function ExpiryField({ values, days: { earliest, latest }, errors }: NewTokenFieldsProps): VNode {
  return (
    <TextField
      name="expires_at"
      label="Expiry date"
      type="date"
      hint={
        latest === null
          ? 'Expires at 00:00 UTC. Leave blank for no expiry.'
          : `Expires at 00:00 UTC. Defaults to ${latest} (maximum).`
      }
      value={values.expires_at}
      errors={errors?.fields['expires_at']}
      min={earliest}
      {...(latest !== null && { max: latest })}
    />
  );
}
