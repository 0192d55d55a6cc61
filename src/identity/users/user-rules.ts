import { QueryFailedError } from 'typeorm';
import { ConflictError, ValidationFailedError } from '../../core/errors.js';
import { displayNameProblems, pathProblems } from './naming-rules.js';
import { passwordProblems, type PasswordOwner, type PasswordSettings } from './password-rules.js';

/** One plain address: lists and comments of an email header do not match. */
const EMAIL_PATTERN = /^[^\s\p{Cc}@<>,;:"()[\]\\]+@[^\s\p{Cc}@<>,;:"()[\]\\]+$/u;

/** Validated attributes; an absent one is not checked. */
interface CheckedAttributes {
  username?: string;
  name?: string;
  email?: string;
}

/** A password that someone is to have. */
interface NewPassword {
  value: string;
  owner: PasswordOwner;
  settings: PasswordSettings;
}

/** Throws ValidationFailedError with the messages of every attribute that breaks a rule. */
export function assertValidUser(input: CheckedAttributes, password?: NewPassword): void {
  const { username, name, email } = input;
  const messages = {
    ...(username !== undefined && { username: pathProblems(username, 'top') }),
    ...(name !== undefined && { name: displayNameProblems(name) }),
    ...(email !== undefined && { email: emailProblems(email) }),
    ...(password !== undefined && {
      password: passwordProblems(password.value, password.owner, password.settings),
    }),
  };
  const broken = Object.entries(messages).filter(([, problems]) => problems.length > 0);
  if (broken.length > 0) throw new ValidationFailedError(Object.fromEntries(broken));
}

function emailProblems(email: string): string[] {
  return email.length <= 254 && EMAIL_PATTERN.test(email) ? [] : ['is invalid'];
}

/** The meaning of the unique violations that creating or renaming a user can meet. */
export function translateConflict(error: unknown): unknown {
  if (!(error instanceof QueryFailedError)) return error;
  const { constraint } = error.driverError as { constraint?: string };
  const isEmail = constraint === 'uq_users_email' || constraint === 'uq_user_emails_confirmed';
  if (isEmail) return new ConflictError('Email has already been taken');
  const isName = constraint === 'uq_users_username' || constraint === 'uq_namespaces_full_path';
  return isName ? new ConflictError('Username has already been taken') : error;
}
