import { InvalidParamsError } from '../../core/errors.js';
import { given } from '../../core/ui/form-input.decorator.js';
import { visibilityName } from '../../members/visibility.js';
import type { GroupRow } from '../groups.repository.js';
import type { GroupValues } from './group-form.js';

type Form = Record<string, unknown>;

/** The fields as they were sent. */
export function valuesOfForm(form: Form): GroupValues {
  return {
    name: given(form, 'name'),
    path: given(form, 'path'),
    description: given(form, 'description'),
    visibility: given(form, 'visibility'),
    requestAccess: given(form, 'request_access_enabled') === 'true',
    emailsEnabled: given(form, 'emails_enabled') === 'true',
  };
}

/** The fields of a group that is there. */
export function valuesOfGroup(group: GroupRow): GroupValues {
  return {
    name: group.name,
    path: group.path,
    description: group.description,
    visibility: visibilityName(group.visibility),
    requestAccess: group.requestAccessEnabled,
    emailsEnabled: group.emailsEnabled,
  };
}

/** Throws 400 for a form without name or path: texts of the API may be empty. */
export function assertNamed(form: Form): void {
  const missing = ['name', 'path'].filter((name) => given(form, name).trim() === '');
  if (missing.length > 0) throw new InvalidParamsError(missing.map((name) => `${name} is missing`));
}
