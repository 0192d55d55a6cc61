import type { VNode } from 'preact';
import { SCOPES } from '../../../core/access/scopes.js';
import type { Viewer } from '../../../core/access/viewer.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { Card, DescriptionList, PageHeader } from '../../../core/ui/components/content.js';
import type { ApplicationDetails } from '../../applications/application-details.js';
import type { AuthorizationRequest } from '../authorization-request.js';
import { redirectHost } from '../redirect-uri.js';

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
        description={`It wants to use your account ${viewer.username}.`}
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
        Authorize it only if you know it and have just asked it to sign you in. You can take this
        back in your settings at any time.
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
