import { MethodNotAllowedError } from '../core/errors.js';
import { isDraft } from './drafts.js';
import type { MergeRequestRow } from './merge-request-row.js';

/** 405 in the words of v4. */
export function notAllowed(): MethodNotAllowedError {
  return new MethodNotAllowedError({ message: '405 Method Not Allowed' });
}

/** 405 for drafts and for what is not open. */
export function assertMergeable({ state, title }: Pick<MergeRequestRow, 'state' | 'title'>): void {
  if (state !== 'opened' || isDraft(title)) throw notAllowed();
}
