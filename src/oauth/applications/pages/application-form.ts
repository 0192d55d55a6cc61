import { given, givenList } from '../../../core/ui/form-input.decorator.js';
import type { ApplicationDetails } from '../application-details.js';
import type { ApplicationInput } from '../application-rules.js';

/** The form for a new application. */
export const BLANK_APPLICATION: ApplicationInput = {
  name: '',
  redirectUri: '',
  scopes: [],
  confidential: true,
  trusted: false,
};

/** An application as its form was sent; nothing is checked yet. */
export function applicationInputOf(
  form: Record<string, unknown>,
  { mayTrust }: { mayTrust: boolean },
): ApplicationInput {
  return {
    name: given(form, 'name'),
    redirectUri: given(form, 'redirect_uri'),
    scopes: givenList(form, 'scopes'),
    confidential: given(form, 'confidential') !== 'false',
    trusted: mayTrust && given(form, 'trusted') === 'true',
  };
}

/** An application as its form shows it. */
export function applicationValuesOf(application: ApplicationDetails): ApplicationInput {
  return { ...application, redirectUri: application.redirectUris.join('\n') };
}
