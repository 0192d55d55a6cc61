import type { UserEmail } from '../user-email.entity.js';

/** Secondary email of a user. */
export interface PresentedUserEmail {
  id: number;
  /** @example "mallory@work.example.com" */
  email: string;
  /**
   * Confirmation time; null until then.
   * @format date-time
   */
  confirmed_at: string | null;
}

/** An address as its owner sees it. */
export function presentUserEmail({ id, email, confirmedAt }: UserEmail): PresentedUserEmail {
  return { id, email, confirmed_at: confirmedAt?.toISOString() ?? null };
}
