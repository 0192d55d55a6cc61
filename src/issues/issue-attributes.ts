import { ValidationFailedError } from '../core/errors.js';

export const MAX_TITLE_LENGTH = 255;
const MAX_DESCRIPTION_LENGTH = 1_048_576;

/** 400 for texts that are too long (API doc, Errors 2). */
export function assertLengths(texts: { title?: string | null; description?: string | null }): void {
  const messages = {
    ...tooLong('title', texts.title, MAX_TITLE_LENGTH),
    ...tooLong('description', texts.description, MAX_DESCRIPTION_LENGTH),
  };
  if (Object.keys(messages).length > 0) throw new ValidationFailedError(messages);
}

function tooLong(
  name: string,
  text: string | null | undefined,
  maximum: number,
): Record<string, string[]> {
  if (!text || text.length <= maximum) return {};
  return { [name]: [`is too long (maximum is ${maximum} characters)`] };
}
