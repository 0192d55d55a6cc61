import { BadRequestError } from '../../core/errors.js';

const MAX_LENGTH = 1_000_000;

/** Returns the problem with the text of a note, or null. */
export function noteBodyProblem(body: string): string | null {
  if (body.trim() === '') return "can't be blank";
  return body.length > MAX_LENGTH ? `is too long (maximum is ${MAX_LENGTH} characters)` : null;
}

/** 400 in the words of v4 for a text that is blank or longer than a note can be. */
export function assertNoteBody(body: string): void {
  const problem = noteBodyProblem(body);
  if (problem !== null) throw new BadRequestError(`Note {:note=>["${problem}"]}`);
}
