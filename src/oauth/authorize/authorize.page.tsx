import type { VNode } from 'preact';
import type { Viewer } from '../../core/access/auth-context.js';
import { SCOPES } from '../../core/access/scopes.js';
import { PostButton, FormActions } from '../../core/ui/components/form.js';
import { Card, DescriptionList, PageHeader } from '../../core/ui/components/content.js';
import type { ApplicationDetails } from '../oauth-applications.repository.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { redirectHost } from '../applications/application-rules.js';
import { Person } from '../../core/ui/components/avatar.js';
import { Icon } from '../../core/ui/components/icon.js';
import { ButtonLink, Button } from '../../core/ui/components/button.js';
import type { AuthorizationError } from './authorization-response.js';
import { Document } from '../../core/ui/document.js';

/** The field that carries what is approved. */
export const CONSENT_FIELD = 'consent';
/** The field that carries the path of the request. */
export const RETURN_FIELD = 'return_to';

interface ConsentPageProps {
  application: ApplicationDetails;
  request: AuthorizationRequest;
  viewer: Viewer;
  /** Path of the request with its query. */
  returnPath: string;
  form: { signedRequest: string; csrfToken: string };
}

/** Consent screen: the application, its scopes and its owner. */
export function ConsentPage(props: ConsentPageProps): VNode {
  const { application, request, viewer, returnPath } = props;
  const { signedRequest, csrfToken } = props.form;
  const fields = { [CONSENT_FIELD]: signedRequest };
  return (
    <>
      <PageHeader
        title={`Authorize ${application.name}`}
        description={`${application.name} wants to access your account (${viewer.username}).`}
      />
      <Card title="Requested permissions">
        <ScopeList scopes={request.scopes} />
      </Card>
      <Card>
        <DescriptionList
          items={[
            { label: 'Account', value: <Account {...{ viewer, returnPath, csrfToken }} /> },
            { label: 'Registered by', value: <Owner application={application} /> },
            { label: 'Redirects to', value: redirectHost(request.redirectUri) },
          ]}
        />
      </Card>
      <p class="text-muted-foreground">
        Only authorize applications you trust. You can revoke access any time in Settings ›
        Applications.
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
        <li key={scope} class="flex gap-2">
          <span class="text-success">
            <Icon name="circle-check" />
          </span>
          <span>
            {SCOPES[scope]} <code class="text-muted-foreground">{scope}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}

interface AccountProps {
  viewer: Viewer;
  returnPath: string;
  csrfToken: string;
}

/** Account that is authorized, and a way to another one. */
function Account({ viewer, returnPath, csrfToken }: AccountProps): VNode {
  return (
    <div class="flex flex-wrap items-center gap-x-3">
      <Person name={viewer.name} owner={viewer} detail={`@${viewer.username}`} />
      <PostButton
        action="/oauth/authorize/switch"
        variant="ghost"
        size="small"
        fields={{ [RETURN_FIELD]: returnPath }}
        csrfToken={csrfToken}
      >
        Not you? Switch account
      </PostButton>
    </div>
  );
}

/** Owner of the application. */
function Owner({ application: { ownerName, ownerUsername } }: OwnerProps): VNode {
  if (ownerName === null) return <>Administrators of this instance</>;
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
      <PageHeader title="Authorization failed" />
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
          Go to home
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

/** Sends the response to the application in a form (OAuth 2.0 Form Post Response Mode §2). */
export function FormPostPage({ files, action, fields }: FormPostPageProps): VNode {
  const { icon, styleSheet, script } = files;
  return (
    <Document
      title="Return to application"
      icon={icon}
      styleSheets={[styleSheet]}
      scripts={[script]}
    >
      <div class="frame bare">
        <main id="content" tabIndex={-1}>
          <h1>Return to application</h1>
          <form id="form-post" method="post" action={action} class="grid justify-items-start gap-5">
            {Object.entries(fields).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <p>Continue to finish signing in to the application.</p>
            <Button>Continue</Button>
          </form>
        </main>
      </div>
    </Document>
  );
}
