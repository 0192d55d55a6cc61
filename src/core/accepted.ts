/** The answer to what is done later. */
export interface Accepted {
  message: '202 Accepted';
}

/** Body of every 202. */
export const ACCEPTED: Accepted = { message: '202 Accepted' };
