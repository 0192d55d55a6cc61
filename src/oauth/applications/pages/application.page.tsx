import type { VNode } from 'preact';
import { APPLICATION_SCOPES, SCOPES } from '../../../core/access/scopes.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { CheckboxField, ScopeFields } from '../../../core/ui/components/choice-fields.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card, DescriptionList, PageHeader } from '../../../core/ui/components/content.js';
import { Copyable, CopyField } from '../../../core/ui/components/copy.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { Time } from '../../../core/ui/components/time.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { ListedApplication } from '../../oauth-applications.repository.js';
import { pathOf, userCount, type Area } from './applications.page.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import type { ApplicationInput } from '../application-rules.js';

interface ApplicationPageProps {
  area: Area;
  application: ListedApplication;
  /** Base URL of the instance. */
  issuer: string;
  csrfToken: string;
}

/** One application with what its developers need; its secret is shown by the flash only. */
export function ApplicationPage(props: ApplicationPageProps): VNode {
  const { area, application, issuer, csrfToken } = props;
  const path = pathOf(area, application.id);
  return (
    <>
      <PageHeader
        title={application.name}
        actions={
          <ButtonLink href={`${path}/edit`} variant="outline">
            Edit
          </ButtonLink>
        }
      />
      <Card>
        <div class="grid gap-6">
          <CopyField label="Application ID" value={application.uid} hint="The client_id" />
          <CopyField
            label="Issuer"
            value={issuer}
            hint={
              <>
                OpenID Connect clients find all endpoints in its{' '}
                <a class="prose-link" href="/.well-known/openid-configuration">
                  discovery document
                </a>
              </>
            }
          />
          <DescriptionList items={factsOf(application, area)} />
        </div>
      </Card>
      <ApplicationSetup application={application} issuer={issuer} />
      <Card title="Secret">
        <p>The secret is shown once, when it is created. Renew it if it was lost or exposed.</p>
        <ConfirmButton
          label="Renew secret"
          title={`Renew secret for “${application.name}”?`}
          question="The current secret stops working immediately."
          confirm="Renew secret"
          action={`${path}/renew`}
          csrfToken={csrfToken}
          variant="outline"
        />
      </Card>
      <Card title="Delete application">
        <p>Revokes all of its tokens. Users can no longer sign in with it.</p>
        <ConfirmButton
          label="Delete application"
          title={`Delete application “${application.name}”?`}
          question={`This permanently deletes ${application.name} and revokes all of its tokens.`}
          confirm="Delete application"
          action={`${path}/delete`}
          csrfToken={csrfToken}
        />
      </Card>
    </>
  );
}

function factsOf(application: ListedApplication, area: Area) {
  const { redirectUris, scopes, confidential, trusted, createdAt } = application;
  return [
    { label: 'Redirect URIs', value: <Lines lines={redirectUris} /> },
    {
      label: 'Scopes',
      value: <Lines lines={scopes.map((scope) => `${scope}: ${SCOPES[scope]}`)} />,
    },
    { label: 'Confidential', value: confidential ? 'Yes' : 'No (PKCE required)' },
    ...(area === 'admin' ? [{ label: 'Trusted', value: trusted ? 'Yes' : 'No' }] : []),
    { label: 'Users', value: userCount(application) },
    { label: 'Last used', value: <Time value={application.lastUsedAt} /> },
    { label: 'Created', value: <Time value={createdAt} /> },
  ];
}

function Lines({ lines }: { lines: readonly string[] }): VNode {
  return (
    <ul class="grid gap-1">
      {lines.map((line) => (
        <li key={line} class="wrap-anywhere">
          {line}
        </li>
      ))}
    </ul>
  );
}

export interface ApplicationFormPageProps {
  area: Area;
  title: string;
  /** Where the form is sent, and where one gets without sending it. */
  action: string;
  cancel: string;
  submit: string;
  values: ApplicationInput;
  errors?: FormProblems | undefined;
  csrfToken: string;
}

/** The form for an application, new or known. */
export function ApplicationFormPage(props: ApplicationFormPageProps): VNode {
  const { title, action, cancel, submit, values, errors, csrfToken } = props;
  return (
    <>
      <PageHeader title={title} />
      <Card>
        <Form action={action} csrfToken={csrfToken}>
          <FormErrors errors={errors} />
          <TextField
            name="name"
            label="Name"
            hint="Shown on the consent screen"
            value={values.name}
            errors={errors?.fields['name']}
            required
            maxLength={255}
            autocomplete="off"
          />
          <TextArea
            name="redirect_uri"
            label="Redirect URIs"
            hint="One per line. Must match exactly."
            placeholder="https://app.example.com/callback"
            value={values.redirectUri}
            errors={errors?.fields['redirect_uri']}
            required
            rows={3}
            code
          />
          <KindFields {...props} />
          <ScopeFields
            scopes={APPLICATION_SCOPES}
            values={values.scopes}
            hint="Scopes the application can request. Removing one also removes it from existing tokens."
            errors={errors?.fields['scopes']}
          />
          <FormActions submit={submit} cancel={cancel} />
        </Form>
      </Card>
    </>
  );
}

function KindFields({ area, values }: ApplicationFormPageProps): VNode {
  return (
    <>
      <CheckboxField
        name="confidential"
        label="Confidential"
        hint="Can keep a secret. Clear for native and single-page apps, which use PKCE."
        checked={values.confidential}
      />
      {area === 'admin' && (
        <CheckboxField
          name="trusted"
          label="Trusted"
          hint="Skips the consent screen. Only for your own applications."
          checked={values.trusted}
        />
      )}
    </>
  );
}

interface ApplicationSetupProps {
  application: ListedApplication;
  /** Base URL of the instance. */
  issuer: string;
}

/** Setup example: authorization URL and token request. */
function ApplicationSetup({ application, issuer }: ApplicationSetupProps): VNode | null {
  const [redirectUri] = application.redirectUris;
  if (redirectUri === undefined || !application.confidential) return null;
  const token = tokenRequest(application, { issuer, redirectUri });
  return (
    <Card title="Setup example">
      <CopyField
        label="Authorization URL"
        value={authorizationUrl(application, { issuer, redirectUri })}
        hint="Open it in a browser. After consent, the redirect carries the code."
      />
      <div class="grid grid-cols-1 gap-1">
        <h3>Token request</h3>
        <Copyable noun="request">
          <pre tabIndex={0} role="region" aria-label="Token request">
            {token}
          </pre>
        </Copyable>
      </div>
    </Card>
  );
}

interface Endpoint {
  issuer: string;
  redirectUri: string;
}

function authorizationUrl(
  { uid, scopes }: ListedApplication,
  { issuer, redirectUri }: Endpoint,
): string {
  const query = new URLSearchParams({
    client_id: uid,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: scopes.join(' '),
  });
  return `${issuer}/oauth/authorize?${query.toString()}`;
}

function tokenRequest({ uid }: ListedApplication, { issuer, redirectUri }: Endpoint): string {
  const form = new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: redirectUri });
  return [
    'curl --request POST \\',
    `  --user "${uid}:$CLIENT_SECRET" \\`,
    `  --data "${form.toString()}" \\`,
    '  --data "code=$CODE" \\',
    `  "${issuer}/oauth/token"`,
  ].join('\n');
}
