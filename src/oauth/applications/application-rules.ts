import { APPLICATION_SCOPES, type Scope } from '../../core/access/scopes.js';
import { ValidationFailedError, type ValidationMessages } from '../../core/errors.js';
import { redirectUriProblems } from './redirect-uri-rules.js';

const MAX_NAME = 255;
const MAX_URI = 2_048;
const MAX_URIS = 50;

/** Attributes of an application, as they were sent. */
export interface ApplicationInput {
  name: string;
  /** One or more, separated by white space. */
  redirectUri: string;
  scopes: readonly string[];
  confidential: boolean;
  trusted: boolean;
}

/** Validated attributes of an application. */
export interface ApplicationValues {
  name: string;
  redirectUris: string[];
  scopes: Scope[];
  confidential: boolean;
  trusted: boolean;
}

/** Checks what is to be registered; throws ValidationFailedError with all that is wrong. */
export function checkedApplication(input: ApplicationInput): ApplicationValues {
  const name = input.name.trim();
  const redirectUris = [...new Set(input.redirectUri.split(/\s+/).filter((uri) => uri !== ''))];
  const scopes = [...new Set(input.scopes.filter((scope) => scope !== ''))];
  const messages: ValidationMessages = {};
  addTo(messages, 'name', nameProblems(name));
  addTo(messages, 'redirect_uri', listProblems(redirectUris));
  addTo(messages, 'scopes', scopeProblems(scopes));
  if (Object.keys(messages).length > 0) throw new ValidationFailedError(messages);
  const { confidential, trusted } = input;
  return { name, redirectUris, scopes: scopes as Scope[], confidential, trusted };
}

function addTo(messages: ValidationMessages, attribute: string, problems: string[]): void {
  if (problems.length > 0) messages[attribute] = problems;
}

function nameProblems(name: string): string[] {
  if (name === '') return ["can't be blank"];
  if (name.length > MAX_NAME) return [`is too long (maximum is ${MAX_NAME} characters)`];
  // Shown on the consent screen: no characters that hide or reorder text.
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) ? ['is invalid'] : [];
}

function listProblems(uris: readonly string[]): string[] {
  if (uris.length === 0) return ["can't be blank"];
  if (uris.length > MAX_URIS) return [`is too long (maximum is ${MAX_URIS} addresses)`];
  if (uris.some((uri) => uri.length > MAX_URI)) {
    return [`is too long (maximum is ${MAX_URI} characters)`];
  }
  return [...new Set(uris.flatMap(redirectUriProblems))];
}

function scopeProblems(scopes: readonly string[]): string[] {
  if (scopes.length === 0) return ["can't be blank"];
  const isKnown = scopes.every((scope) =>
    (APPLICATION_SCOPES as readonly string[]).includes(scope),
  );
  return isKnown ? [] : ["doesn't match configured on the server."];
}
