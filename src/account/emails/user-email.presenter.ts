import type { UserEmail } from '../user-email.entity.js';

/** A further email address of a user. */
export interface PresentedUserEmail {
  id: number;
  /** @example "mallory@work.example.com" */
  email: string;
  /**
   * null until the link that was mailed to the address is followed.
   * @format date-time
   */
  confirmed_at: string | null;
}

/** An address as its owner sees it. */
export function presentUserEmail({ id, email, confirmedAt }: UserEmail): PresentedUserEmail {
  return { id, email, confirmed_at: confirmedAt?.toISOString() ?? null };
}
