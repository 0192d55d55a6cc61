import type { Settings } from '../core/settings/settings.js';
import { isCommonPassword } from './common-passwords.js';

const MAX_LENGTH = 128;
/** Shorter parts of names are in every other password. */
const MIN_PART_LENGTH = 4;
const PRODUCT = 'guildhall';
const TOO_COMMON = 'must not contain commonly used combinations of words and letters';

/** Whose password it is going to be. */
export interface PasswordOwner {
  username?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
}

export type PasswordSettings = Pick<Settings, 'minimum_password_length'>;

/**
 * Why this must not be the owner's password; none when it may. Length, common passwords, parts of
 * the owner's names and addresses, and the name of the product (API doc, Users).
 */
export function passwordProblems(
  password: string,
  owner: PasswordOwner,
  { minimum_password_length: minimum }: PasswordSettings,
): string[] {
  if (password.length < minimum) return [`is too short (minimum is ${minimum} characters)`];
  if (password.length > MAX_LENGTH) return [`is too long (maximum is ${MAX_LENGTH} characters)`];
  const lower = password.toLowerCase();
  const isGuessable =
    isCommonPassword(password) || partsOf(owner).some((part) => lower.includes(part));
  return isGuessable ? [TOO_COMMON] : [];
}

function partsOf({ username = '', name = '', email = '' }: PasswordOwner): string[] {
  const texts = [username, name, email].map((text) => text.toLowerCase());
  const parts = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [...parts.filter((part) => part.length >= MIN_PART_LENGTH), PRODUCT];
}
