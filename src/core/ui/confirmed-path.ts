import { ValidationFailedError } from '../errors.js';
import { CONFIRMED_PATH } from './components/confirm-button.js';

/** Throws ValidationFailedError unless the form repeats the path of what it deletes. */
export function assertPathConfirmed(form: Record<string, unknown>, path: string): void {
  const given = form[CONFIRMED_PATH];
  if (typeof given === 'string' && given.trim() === path) return;
  throw new ValidationFailedError({ base: [`Enter ${path} to confirm`] });
}
