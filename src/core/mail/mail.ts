/** Kind of an email, for administrators. */
export type MailKind =
  | 'password_reset'
  | 'password_changed'
  | 'email_confirmation'
  | 'email_changed'
  | 'alert_firing'
  | 'alert_recovered'
  | 'test';

/** A mail as its reader sees it. */
export interface EmailContent {
  subject: string;
  text: string;
  html: string;
  /** Whose doing the mail is about, shown as the sender; the address is always ours. */
  fromName?: string;
  /** `<…@…>`; made from the mail's row unless given. */
  messageId?: string;
  inReplyTo?: string;
  references?: string[];
  /** Further headers by their names; values on one line. */
  headers?: Record<string, string>;
}

/** A mail to be sent. */
export interface Mail extends EmailContent {
  /** One address, without a name. */
  to: string;
  kind: MailKind;
}

/** A mail on its way: the id makes sending it twice the same mail. */
export interface OutgoingEmail extends EmailContent {
  to: string;
  /** `<…@…>`; the same with every attempt. */
  messageId: string;
  date: Date;
}
