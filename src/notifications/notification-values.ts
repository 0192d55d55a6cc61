/** The 18 switches of the level `custom`, in the order of answers; stored as bits in this order. */
export const EMAIL_EVENTS = [
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'issue_due',
  'new_merge_request',
  'push_to_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'merge_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
  'moved_project',
  'merge_when_pipeline_succeeds',
  'new_epic',
] as const;
export type EmailEvent = (typeof EMAIL_EVENTS)[number];

/** The bit that an event is stored as. */
export function eventBit(event: EmailEvent): number {
  return 1 << EMAIL_EVENTS.indexOf(event);
}

/** Events that are enabled by default. */
export const DEFAULT_EVENTS =
  eventBit('failed_pipeline') | eventBit('fixed_pipeline') | eventBit('moved_project');

/** Why someone gets an email, as stored; the strongest reason has the smallest number. */
export const MAIL_REASONS = {
  own_activity: 1,
  assigned: 2,
  review_requested: 3,
  mentioned: 4,
  subscribed: 5,
  label_subscribed: 6,
} as const;
export type MailReason = keyof typeof MAIL_REASONS;
