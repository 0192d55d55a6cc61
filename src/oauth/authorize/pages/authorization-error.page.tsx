import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { FormActions } from '../../../core/ui/components/form.js';
import { PageHeader } from '../../../core/ui/components/content.js';
import type { AuthorizationError } from '../authorization-errors.js';

/** Says in fixed words why an application cannot be authorized; nothing of the request is shown. */
export function AuthorizationErrorPage({ error }: { error: AuthorizationError }): VNode {
  return (
    <>
      <PageHeader title="This application cannot be authorized" />
      <p class="alert" data-tone="alert">
        {error.description}
      </p>
      {error.isPersonal !== true && (
        <p>
          The application that sent you here made a mistake, or is not registered here any more.
          Tell the people who run it what this page says.
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
