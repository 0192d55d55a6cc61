import type { Response, Test } from 'supertest';

/** `unsent` = nothing listened; `cut` = the connection ended before a whole answer. */
export type Outcome = Response | 'unsent' | 'cut';

const CUTS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** What became of a request to a process that may be killed at any moment. */
export async function outcomeOf(request: PromiseLike<Response> | Test): Promise<Outcome> {
  try {
    return await request;
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (code === 'ECONNREFUSED') return 'unsent';
    if (CUTS.has(code)) return 'cut';
    throw error;
  }
}

/** Whether there is an answer, of whatever status. */
export function isAnswer(outcome: Outcome): outcome is Response {
  return typeof outcome !== 'string';
}
