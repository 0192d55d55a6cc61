/**
 * Ends a move with a message for its `error_message`.
 *
 * `transient` means that a retry of the same move can succeed (a stale file handle, an input/output
 * error); everything else is final.
 */
export class MoveError extends Error {
  readonly transient: boolean;

  constructor(message: string, options: { transient?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'MoveError';
    this.transient = options.transient ?? false;
  }
}

const FILE_ERRORS: Record<string, { text: string; transient: boolean }> = {
  ENOSPC: { text: 'is full', transient: false },
  EDQUOT: { text: 'has reached its quota', transient: false },
  EROFS: { text: 'is mounted read-only', transient: false },
  EACCES: { text: 'denies access', transient: false },
  EPERM: { text: 'denies the operation', transient: false },
  EXDEV: { text: 'spans several filesystems', transient: false },
  ELOOP: { text: 'holds a symbolic link where a file was expected', transient: false },
  EIO: { text: 'reports an input/output error', transient: true },
  ESTALE: { text: 'has a stale file handle', transient: true },
  ENOENT: { text: 'lost a file during the move', transient: true },
  ENODEV: { text: 'is gone', transient: true },
};

/** The system's code of a failed file operation (`ENOSPC`), or an empty string. */
export function errorCode(error: unknown): string {
  // Not instanceof Error: Jest runs tests in a realm of its own.
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/**
 * Turns a failed file operation into a MoveError that names the place
 * (`Storage storage2`); other errors, aborts among them, come back unchanged.
 */
export function asMoveError(error: unknown, place: string): unknown {
  if (error instanceof MoveError) return error;
  const code = errorCode(error);
  const known = FILE_ERRORS[code];
  if (!known) return error;
  return new MoveError(`${place} ${known.text} (${code})`, {
    transient: known.transient,
    cause: error,
  });
}

/** Returns the error of a damaged source; the first finding suffices. */
export function damagedSource(finding: string): MoveError {
  return new MoveError(`Source repository is damaged: ${finding}`);
}

const MAX_MESSAGE_LENGTH = 256;

/** The message as it is stored: at most 256 characters, the last three `...` when cut. */
export function moveErrorMessage(text: string): string {
  // By code points, so that no character is cut in half; NUL cannot be stored.
  const characters = [...text.replaceAll('\0', '')];
  if (characters.length <= MAX_MESSAGE_LENGTH) return characters.join('');
  return `${characters.slice(0, MAX_MESSAGE_LENGTH - 3).join('')}...`;
}
