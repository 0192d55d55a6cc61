import type { VNode } from 'preact';
import { SCOPES, type Scope } from '../../../core/access/scopes.js';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { CheckboxGroup } from '../../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import { AccountSection } from '../../../core/ui/sections/account.js';
import type { PossibleDays } from '../token-expiry.service.js';
import { TOKENS_PATH } from './own-tokens.page.js';

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
  const { values, scopes, errors, csrfToken } = props;
  return (
    <AccountSection current="tokens">
      <PageHeader title="New access token" />
      <Card>
        <Form action={TOKENS_PATH} csrfToken={csrfToken}>
          <FormErrors errors={errors} />
          <TextField
            name="name"
            label="Name"
            hint="What the token is for."
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
          <CheckboxGroup
            name="scopes"
            label="Scopes"
            hint="Choose no more than the program needs."
            options={scopes.map((value) => ({ value, label: value, hint: SCOPES[value] }))}
            values={values.scopes}
            errors={errors?.fields['scopes']}
          />
          <FormActions>
            <Button>Create token</Button>
            <ButtonLink href={TOKENS_PATH} variant="ghost">
              Cancel
            </ButtonLink>
          </FormActions>
        </Form>
      </Card>
    </AccountSection>
  );
}

function ExpiryField({ values, days: { earliest, latest }, errors }: NewTokenPageProps): VNode {
  const hint = 'The token stops working when this day begins (UTC).';
  return (
    <TextField
      name="expires_at"
      label="Expiry date"
      type="date"
      hint={latest === null ? hint : `${hint} Without a day it is the latest possible, ${latest}.`}
      value={values.expires_at}
      errors={errors?.fields['expires_at']}
      min={earliest}
      {...(latest !== null && { max: latest })}
    />
  );
}
