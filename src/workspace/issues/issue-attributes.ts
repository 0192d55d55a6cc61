import { InvalidParamsError, ValidationFailedError } from '../../core/errors.js';

export const MAX_TITLE_LENGTH = 255;
const MAX_DESCRIPTION_LENGTH = 1_048_576;

/** The largest number that v4 clients support. */
const MAX_CHOSEN = 2_147_483_647;

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

/** Assignees of a request; the single one is deprecated. */
interface GivenAssignees {
  assignee_ids?: readonly number[] | null;
  assignee_id?: number | null;
}

/** Returns the requested assignees; undefined when the request does not name any. */
export function wantedAssignees(given: GivenAssignees): number[] | undefined {
  if (given.assignee_ids !== undefined) return (given.assignee_ids ?? []).filter((id) => id !== 0);
  if (given.assignee_id === undefined) return undefined;
  return given.assignee_id === null || given.assignee_id === 0 ? [] : [given.assignee_id];
}

/** Throws InvalidParamsError for a number that no issue can have. */
export function assertUsableNumber(chosen: number | null): void {
  if (chosen !== null && chosen > MAX_CHOSEN) {
    throw new InvalidParamsError(['iid has a value not allowed']);
  }
}
