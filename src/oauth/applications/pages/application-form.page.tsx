import type { VNode } from 'preact';
import { APPLICATION_SCOPES, SCOPES } from '../../../core/access/scopes.js';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { CheckboxField, CheckboxGroup } from '../../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { ApplicationInput } from '../application-rules.js';
import { ApplicationFrame, type Place } from './application-frame.js';

interface ApplicationFormPageProps {
  place: Place;
  title: string;
  /** Where the form is sent, and where one gets without sending it. */
  action: string;
  cancel: string;
  submit: string;
  values: ApplicationInput;
  errors?: FormProblems;
  csrfToken: string;
}

/** The form for an application, new or known. */
export function ApplicationFormPage(props: ApplicationFormPageProps): VNode {
  const { place, title, action, cancel, submit, values, errors, csrfToken } = props;
  return (
    <ApplicationFrame place={place}>
      <PageHeader title={title} />
      <Card>
        <Form action={action} csrfToken={csrfToken}>
          <FormErrors errors={errors} />
          <TextField
            name="name"
            label="Name"
            hint="People read it when the application asks them for consent."
            value={values.name}
            errors={errors?.fields['name']}
            required
            maxLength={255}
            autocomplete="off"
          />
          <TextArea
            name="redirect_uri"
            label="Redirect URIs"
            hint="Where people come back to, one address per line. They are compared character by character."
            value={values.redirectUri}
            errors={errors?.fields['redirect_uri']}
            required
            rows={3}
            code
          />
          <KindFields {...props} />
          <CheckboxGroup
            name="scopes"
            label="Scopes"
            hint="Scopes the application can request. Removing a scope also removes it from existing tokens."
            options={APPLICATION_SCOPES.map((value) => ({
              value,
              label: value,
              hint: SCOPES[value],
            }))}
            values={values.scopes}
            errors={errors?.fields['scopes']}
          />
          <FormActions>
            <Button>{submit}</Button>
            <ButtonLink href={cancel} variant="ghost">
              Cancel
            </ButtonLink>
          </FormActions>
        </Form>
      </Card>
    </ApplicationFrame>
  );
}

function KindFields({ place, values }: ApplicationFormPageProps): VNode {
  return (
    <>
      <CheckboxField
        name="confidential"
        label="Confidential"
        hint="It runs on a server and can keep its secret. Leave this out for apps on devices and in browsers: they use PKCE instead."
        checked={values.confidential}
      />
      {place === 'admin' && (
        <CheckboxField
          name="trusted"
          label="Trusted"
          hint="Users are not asked for consent. Only for your own applications."
          checked={values.trusted}
        />
      )}
    </>
  );
}
