/** Response of background work. */
export interface Accepted {
  message: '202 Accepted';
}

/** Body of every 202. */
export const ACCEPTED: Accepted = { message: '202 Accepted' };
