import type { VNode } from 'preact';
import { SCOPES } from '../../../core/access/scopes.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card, DescriptionList, PageHeader } from '../../../core/ui/components/content.js';
import { CopyField } from '../../../core/ui/components/copy-field.js';
import { Time } from '../../../core/ui/components/time.js';
import type { ApplicationDetails } from '../application-details.js';
import { ApplicationFrame, pathOf, type Place } from './application-frame.js';

interface ApplicationPageProps {
  place: Place;
  application: ApplicationDetails;
  csrfToken: string;
}

/** One application with what its developers need; its secret is shown by the flash only. */
export function ApplicationPage({ place, application, csrfToken }: ApplicationPageProps): VNode {
  const path = pathOf(place, application.id);
  return (
    <ApplicationFrame place={place}>
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
          <CopyField label="Application ID" value={application.uid} hint="The client_id." />
          <DescriptionList items={factsOf(application, place)} />
        </div>
      </Card>
      <Card title="Secret">
        <p>
          The secret was shown when it was made and is stored nowhere. If it is lost, or somebody
          else may know it, make another one.
        </p>
        <ConfirmButton
          label="Renew secret"
          question="The secret in use stops working at once."
          confirm="Renew the secret"
          action={`${path}/renew`}
          csrfToken={csrfToken}
          variant="outline"
        />
      </Card>
      <ConfirmButton
        label="Delete application"
        question="It can no longer sign users in, and all of its authorizations are revoked. This cannot be undone."
        confirm={`Delete ${application.name}`}
        action={`${path}/delete`}
        csrfToken={csrfToken}
      />
    </ApplicationFrame>
  );
}

function factsOf(application: ApplicationDetails, place: Place) {
  const { redirectUris, scopes, confidential, trusted, createdAt } = application;
  return [
    { label: 'Redirect URIs', value: <Lines lines={redirectUris} /> },
    {
      label: 'Scopes',
      value: <Lines lines={scopes.map((scope) => `${scope}: ${SCOPES[scope]}`)} />,
    },
    { label: 'Confidential', value: confidential ? 'Yes' : 'No, it uses PKCE' },
    ...(place === 'admin' ? [{ label: 'Trusted', value: trusted ? 'Yes' : 'No' }] : []),
    { label: 'Registered', value: <Time value={createdAt} /> },
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
