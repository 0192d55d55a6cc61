/** The answer to what is done later (API doc, Errors: 202). */
export interface Accepted {
  message: '202 Accepted';
}

/** Body of every 202. */
export const ACCEPTED: Accepted = { message: '202 Accepted' };
