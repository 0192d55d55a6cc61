import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { FormActions } from '../../../core/ui/components/form.js';
import { DescriptionList, PageHeader } from '../../../core/ui/components/content.js';
import type { AuthorizationError } from '../authorization-errors.js';

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
