import type { Response, Test } from 'supertest';

/** `unsent` = nothing listened; `cut` = the connection ended before a whole answer. */
export type Outcome = Response | 'unsent' | 'cut';

const CUTS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** Returns the outcome of a request to a process that can be killed at any moment. */
export async function outcomeOf(request: PromiseLike<Response> | Test): Promise<Outcome> {
  try {
    return await request;
  } catch (error) {
    const code = codeOf(error as NodeJS.ErrnoException);
    if (code === 'ECONNREFUSED') return 'unsent';
    if (CUTS.has(code)) return 'cut';
    throw error;
  }
}

/** Returns the system's error code, which supertest moves to the message for refused connections. */
function codeOf({ code, message }: NodeJS.ErrnoException): string {
  return code ?? /^E[A-Z]+(?=: )/.exec(message)?.[0] ?? '';
}

/** Returns true for a response of any status. */
export function isAnswer(outcome: Outcome): outcome is Response {
  return typeof outcome !== 'string';
}
