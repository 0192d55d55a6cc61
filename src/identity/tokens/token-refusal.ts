import { ApiError, BadRequestError, ValidationFailedError } from '../../core/errors.js';

/**
 * 400 for a token that breaks a rule of the instance: `400 Bad request - Expires at must be before
 * 2030-01-01`. Endpoints whose v4 format differs translate it by its parts.
 */
export class TokenRefusal extends BadRequestError {
  constructor(
    readonly attribute: 'expires_at' | 'name' | 'scopes',
    readonly reason: string,
  ) {
    super(sentence(attribute, reason));
  }

  /** The rule as a sentence: `Expires at must be before 2030-01-01`. */
  get sentence(): string {
    return sentence(this.attribute, this.reason);
  }
}

function sentence(attribute: string, reason: string): string {
  const words = attribute.replace('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${reason}`;
}

/** Runs `work`; its TokenRefusal becomes 422 with the sentence alone as message. */
export async function unprocessableRefusals<T>(work: () => Promise<T>): Promise<T> {
  return translated(work, (refusal) => new ApiError(422, { message: refusal.sentence }));
}

/** Runs `work`; its TokenRefusal becomes 400 with the messages per attribute. */
export async function validationRefusals<T>(work: () => Promise<T>): Promise<T> {
  return translated(
    work,
    ({ attribute, reason }) => new ValidationFailedError({ [attribute]: [reason] }),
  );
}

async function translated<T>(
  work: () => Promise<T>,
  translate: (refusal: TokenRefusal) => ApiError,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof TokenRefusal ? translate(error) : error;
  }
}
