import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { FormActions } from '../../../core/ui/components/form.js';
import { DescriptionList, PageHeader } from '../../../core/ui/components/content.js';
import type { AuthorizationError } from '../authorization-errors.js';

/** Enough to tell two addresses apart. */
const SHOWN_CHARACTERS = 300;

/**
 * Says in fixed words why an application cannot be authorized. Of the request only a redirect URI
 * that does not match is shown, as text: nothing here leads there.
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
