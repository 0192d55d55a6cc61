import type { VNode } from 'preact';
import { RESOURCE_TOKEN_SCOPES } from '../../../core/access/scopes.js';
import { ScopeFields, SelectField } from '../../../core/ui/components/choice-fields.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { Card } from '../../../core/ui/components/content.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { PageContext, PageInfo } from '../../../core/ui/page-context.js';
import { roleOptions } from '../../../identity/members/roles.js';
import type { TokenResource } from '../token-resource.js';

/** The project or group whose access tokens a page is about. */
export interface TokensPageContext {
  resource: TokenResource;
  /** Address of the page; the addresses of its forms begin with it. */
  path: string;
  info: PageInfo;
}

/** The fields of a new token. */
export interface NewTokenValues {
  name: string;
  description: string;
  expiresAt: string;
  accessLevel: string;
  scopes: string[];
}

interface NewTokenProps {
  pageContext: PageContext;
  context: TokensPageContext;
  values: NewTokenValues;
  errors: FormProblems | null;
}

/** The form for a new access token. */
export function NewTokenCard({ pageContext, context, values, errors }: NewTokenProps): VNode {
  const { resource, path } = context;
  return (
    <Card title="New access token">
      <p class="text-muted-foreground">
        {`Creates a bot user that is a member of this ${resource.kind}.`}
      </p>
      <Form action={path} csrfToken={pageContext.csrfToken} label="New access token">
        <FormErrors errors={errors} />
        <TextFields values={values} errors={errors} />
        <SelectField
          name="access_level"
          label="Role"
          options={roleOptions(resource.accessLevel)}
          value={values.accessLevel}
          errors={errors?.fields['access_level']}
          required
        />
        <ScopeFields
          scopes={RESOURCE_TOKEN_SCOPES}
          values={values.scopes}
          hint="Select the minimum the application needs."
          errors={errors?.fields['scopes']}
        />
        <FormActions submit="Create token" />
      </Form>
    </Card>
  );
}

function TextFields({ values, errors }: Pick<NewTokenProps, 'values' | 'errors'>): VNode {
  return (
    <>
      <TextField
        name="name"
        label="Name"
        hint="Shown as the name of the bot user"
        value={values.name}
        errors={errors?.fields['name']}
        maxLength={255}
        autocomplete="off"
        required
      />
      <TextField
        name="description"
        label="Description"
        value={values.description}
        errors={errors?.fields['description']}
        maxLength={255}
      />
      <TextField
        type="date"
        name="expires_at"
        label="Expiry date"
        hint="Expires at 00:00 UTC. Defaults to the maximum lifetime."
        value={values.expiresAt}
        errors={errors?.fields['expires_at']}
      />
    </>
  );
}
