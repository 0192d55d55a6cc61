import { ApiError } from '../errors.js';
import { formErrors } from './form-errors.js';

/**
 * Why a button did nothing, as whole sentences for the message on the next page. What is no answer
 * to a button (404, a fault of ours) is thrown again.
 */
export function refusalText(error: unknown): string {
  if (error instanceof ApiError && error.status === 403) return forbiddenText(error);
  const { general, fields } = formErrors(error);
  return [...general, ...Object.values(fields).flat()].join(' ');
}

function forbiddenText({ body }: ApiError): string {
  const reason = String(body['message']).replace(/^403 Forbidden(?: - )?/, '');
  const text = reason === '' ? 'Not allowed' : reason;
  return text.endsWith('.') ? text : `${text}.`;
}
