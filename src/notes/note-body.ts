import { BadRequestError } from '../core/errors.js';

const MAX_LENGTH = 1_000_000;

/** 400 in the words of v4 for a text that is blank or longer than a note may be. */
export function assertNoteBody(body: string): void {
  if (body.trim() === '') throw invalid("can't be blank");
  if (body.length > MAX_LENGTH) {
    throw invalid(`is too long (maximum is ${MAX_LENGTH} characters)`);
  }
}

function invalid(problem: string): BadRequestError {
  return new BadRequestError(`Note {:note=>["${problem}"]}`);
}
