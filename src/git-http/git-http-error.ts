/** A refusal of the Git transport: plain text, for that is what Git clients show to people. */
export class GitHttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

/** 401 for a token that never existed: possibly a guess. */
export class UnknownTokenRefusal extends GitHttpError {}

const ACCESS_DENIED =
  'HTTP Basic: Access denied. Use any user name and an access token with the scope ' +
  'read_repository or write_repository as the password.';

/** 401 that makes a Git client prompt for credentials; the same for every reason. */
export function accessDenied(Refusal = GitHttpError): GitHttpError {
  return new Refusal(401, ACCESS_DENIED, { 'WWW-Authenticate': 'Basic realm="Guildhall"' });
}

/** The same text for missing and invisible projects. */
export function projectNotFound(): GitHttpError {
  return new GitHttpError(
    404,
    "The project you were looking for could not be found or you don't have permission to view it.",
  );
}

/** 503 for a bound that is full or a storage that does not answer. */
export function unavailable(message: string): GitHttpError {
  return new GitHttpError(503, message, { 'Retry-After': '10' });
}
