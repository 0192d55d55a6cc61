import type { FormProblems } from '../../../core/ui/form-errors.js';
import { refusalText } from '../../../core/ui/refusal-text.js';

/** The API's words for a note are not for people. */
const NOTE_REFUSAL = /^Note \{:note=>\["([^"]*)"\]\}\.$/;

/** Returns the error of a form's only field. */
export function fieldRefusal(name: string, error: unknown): FormProblems {
  const text = refusalText(error).replace(NOTE_REFUSAL, 'The comment $1.');
  return { fields: { [name]: [text] }, general: [] };
}
