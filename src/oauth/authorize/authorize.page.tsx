import type { VNode } from 'preact';
import { SCOPES } from '../../core/access/scopes.js';
import type { Viewer } from '../../core/access/viewer.js';
import { PostButton, FormActions } from '../../core/ui/components/form.js';
import { Card, DescriptionList, PageHeader } from '../../core/ui/components/content.js';
import type { ApplicationDetails } from '../oauth-applications.repository.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { redirectHost } from './redirect-uri.js';
import { ButtonLink, Button } from '../../core/ui/components/button.js';
import type { AuthorizationError } from './authorization-errors.js';
import { Document } from '../../core/ui/document.js';

/** The field that carries what is approved. */
export const CONSENT_FIELD = 'consent';

interface ConsentPageProps {
  application: ApplicationDetails;
  request: AuthorizationRequest;
  viewer: Viewer;
  form: { sealed: string; csrfToken: string };
}

/** Consent screen: the application, its scopes and its owner. */
export function ConsentPage({ application, request, viewer, form }: ConsentPageProps): VNode {
  const { sealed, csrfToken } = form;
  const fields = { [CONSENT_FIELD]: sealed };
  return (
    <>
      <PageHeader
        title={`Authorize ${application.name}?`}
        description={`${application.name} wants to access your account (${viewer.username}).`}
      />
      <Card title="It asks for">
        <ScopeList scopes={request.scopes} />
      </Card>
      <Card>
        <DescriptionList
          items={[
            { label: 'Registered by', value: <Owner application={application} /> },
            { label: 'You are sent to', value: redirectHost(request.redirectUri) },
          ]}
        />
      </Card>
      <p class="text-muted-foreground">
        Only authorize applications you trust. You can revoke access any time in your settings.
      </p>
      <div class="flex flex-wrap items-center gap-3">
        <PostButton action="/oauth/authorize" variant="primary" {...{ csrfToken, fields }}>
          Authorize
        </PostButton>
        <PostButton action="/oauth/authorize/deny" {...{ csrfToken, fields }}>
          Deny
        </PostButton>
      </div>
    </>
  );
}

function ScopeList({ scopes }: Pick<AuthorizationRequest, 'scopes'>): VNode {
  return (
    <ul class="grid gap-3">
      {scopes.map((scope) => (
        <li key={scope}>
          {SCOPES[scope]} <code class="text-muted-foreground">{scope}</code>
        </li>
      ))}
    </ul>
  );
}

/** Owner of the application. */
function Owner({ application: { ownerName, ownerUsername } }: OwnerProps): VNode {
  if (ownerName === null) return <>the administrators of this instance</>;
  return (
    <>
      {ownerName} ({ownerUsername})
    </>
  );
}

interface OwnerProps {
  application: Pick<ApplicationDetails, 'ownerName' | 'ownerUsername'>;
}

/** Enough to distinguish two URIs. */
const SHOWN_CHARACTERS = 300;

/**
 * Explains in fixed text why an application cannot be authorized. The only request data shown is a
 * mismatched redirect URI, as text and never as a link.
 */
export function AuthorizationErrorPage({ error }: { error: AuthorizationError }): VNode {
  return (
    <>
      <PageHeader title="This application cannot be authorized" />
      <p class="alert" data-tone="alert">
        {error.description}
      </p>
      {error.mismatch !== undefined && <Mismatch {...error.mismatch} />}
      {error.isPersonal !== true && (
        <p>
          This application is misconfigured or no longer registered. Contact its administrator with
          the error above.
        </p>
      )}
      <FormActions>
        <ButtonLink href="/" variant="outline">
          To the start page
        </ButtonLink>
      </FormActions>
    </>
  );
}

function Mismatch({
  applicationName,
  redirectUri,
}: NonNullable<AuthorizationError['mismatch']>): VNode {
  const isCut = redirectUri.length > SHOWN_CHARACTERS;
  const shown = `${redirectUri.slice(0, SHOWN_CHARACTERS)}${isCut ? '…' : ''}`;
  return (
    <DescriptionList
      items={[
        { label: 'Application', value: applicationName },
        { label: 'Requested redirect URI', value: shown === '' ? 'None' : <code>{shown}</code> },
      ]}
    />
  );
}

interface FormPostPageProps {
  /** Addresses of our files. */
  files: { icon: string; styleSheet: string; script: string };
  /** The redirect URI. */
  action: string;
  fields: Record<string, string>;
}

/** Takes the answer to the application in a form (OAuth 2.0 Form Post Response Mode §2). */
export function FormPostPage({ files, action, fields }: FormPostPageProps): VNode {
  const { icon, styleSheet, script } = files;
  return (
    <Document title="Back to the application" {...{ icon, script, styleSheets: [styleSheet] }}>
      <div class="frame bare">
        <main id="content" tabIndex={-1}>
          <h1>Back to the application</h1>
          <form id="form-post" method="post" action={action} class="grid justify-items-start gap-5">
            {Object.entries(fields).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <p>Your answer is sent to the application.</p>
            <Button>Continue</Button>
          </form>
        </main>
      </div>
    </Document>
  );
}
