import type { VNode } from 'preact';
import { Card } from '../../../core/ui/components/content.js';
import { Copyable, CopyField } from '../../../core/ui/components/copy.js';
import type { ListedApplication } from '../../oauth-applications.repository.js';

interface ApplicationSetupProps {
  application: ListedApplication;
  /** Base URL of the instance. */
  issuer: string;
}

/** Setup example: authorization URL and token request. */
export function ApplicationSetup({ application, issuer }: ApplicationSetupProps): VNode | null {
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
