/** Cause of a failed attempt: the connection to the server, or this email. */
export type MailVerdict =
  /** The server is away, busy, or lets us not in: no mail is to blame. */
  | 'server away'
  /** Not now (RFC 5321 §4.2.1), or the connection was lost with this mail. */
  | 'later'
  /** Never. */
  | 'never';

interface Verdict {
  verdict: MailVerdict;
  /** The server spoke of the recipient's address. */
  isAboutAddress: boolean;
}

/** Properties of nodemailer's errors. */
interface SmtpError {
  message?: string;
  code?: string;
  command?: string;
  responseCode?: number;
}

/** "Authentication required", "too weak", "needs encryption": it says so to every mail. */
const LOGIN_ANSWERS = new Set([421, 454, 530, 534, 535, 538]);
/** Wrong settings: the login, the name of the server, its certificate. */
const SETTINGS_CODES = new Set(['EAUTH', 'ENOAUTH', 'EDNS', 'ETLS', 'EPROXY']);
const LOST_CODES = new Set(['ESOCKET', 'ECONNECTION', 'ETIMEDOUT']);

/** The server did not take a mail; the message is its answer, or what happened on the way. */
export class MailDeliveryError extends Error {
  readonly verdict: MailVerdict;
  readonly isAboutAddress: boolean;

  /** `wasConnected`: the server was ready for the mail. */
  constructor(cause: unknown, wasConnected: boolean) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    const { verdict, isAboutAddress } = judge(cause as SmtpError, wasConnected);
    this.verdict = verdict;
    this.isAboutAddress = isAboutAddress;
  }
}

function judge({ code = '', command, responseCode = 0 }: SmtpError, isOn: boolean): Verdict {
  const isAboutAddress = command === 'RCPT TO' && responseCode >= 400;
  if (LOGIN_ANSWERS.has(responseCode) || SETTINGS_CODES.has(code)) {
    return { verdict: 'server away', isAboutAddress: false };
  }
  if (!isOn && LOST_CODES.has(code)) return { verdict: 'server away', isAboutAddress: false };
  return { verdict: responseCode >= 500 ? 'never' : 'later', isAboutAddress };
}
