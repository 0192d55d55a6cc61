/** Kind of an email, for administrators. */
type MailKind =
  | 'password_reset'
  | 'password_changed'
  | 'email_confirmation'
  | 'email_changed'
  | 'access_requested'
  | 'alert_firing'
  | 'alert_recovered'
  | 'test';

/** Visible content of an email. */
export interface EmailContent {
  subject: string;
  text: string;
  html: string;
  /** Name of the actor, shown as the sender; the address is always ours. */
  fromName?: string;
  /** `<…@…>`; generated unless given. */
  messageId?: string;
  inReplyTo?: string;
  references?: string[];
  /** Further headers by their names; values on one line. */
  headers?: Record<string, string>;
}

/** An email to queue. */
export interface Mail extends EmailContent {
  /** One address, without a name. */
  to: string;
  kind: MailKind;
}

/** An email to send; the ID identifies repeated attempts. */
export interface OutgoingEmail extends EmailContent {
  to: string;
  /** `<…@…>`; the same with every attempt. */
  messageId: string;
  date: Date;
}
