import type { ErrorSource } from '../../ingest/grouped-events.js';
import { memoize } from '../memoize.js';
import { containsCardNumber, FILTERED, mayContainCardNumber } from './card-numbers.js';
import { literally, WordSearch } from './word-search.js';

/** Names of secret values, as parts of words in any case. */
const SECRET_WORDS = [
  ...['password', 'passwd', 'passphrase', 'secret', 'token', 'bearer', 'auth', 'credentials'],
  ...['', '-', '_', ' '].flatMap((sign) => [`api${sign}key`, `private${sign}key`]),
  'mysql_pwd',
];

/** Names of cookies by which a session could be taken over. */
export const SESSION_COOKIE = /sess|csrf|xsrf|jwt|sid$/i;

/** Name and password in front of the host of a URL. */
export const USER_INFO = /:(?:\\?\/){2}[^\s/?#"'<>\\]+@/;

/** Beginnings of letters that a JSON text can hide from a search: `\u0070assword`. */
const ESCAPED_LETTERS = [2, 3, 4, 5, 6, 7].map((digit) => `\\u00${digit}`);

/** Rules for removing sensitive data from a project's events. */
export interface ScrubRules {
  /** Finds a secret word. */
  words: RegExp;
  /**
   * Finds what can make a text secret: a word, an `@` as in URLs, digits as of cards, a token.
   */
  signs: RegExp;
  /** Finds every secret word with the rest of the name in which it stands. */
  names: RegExp;
  isSecretName: (name: string) => boolean;
  isSafeName: (name: string) => boolean;
  /** Tests whether the name contains an additional sensitive word of the project. */
  isOwnName: (name: string) => boolean;
  /** Returns false if the event cannot need a change, judging by its JSON text in UTF-8. */
  mayChange: (json: Buffer) => boolean;
}

/** Sources are cached by the lookup of keys, and so are their rules. */
const compiled = new WeakMap<ErrorSource, ScrubRules>();

/** Returns the rules of the project; null when scrubbing is disabled. */
export function scrubRulesOf(source: ErrorSource): ScrubRules | null {
  if (!source.scrubData) return null;
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const rules = compile(source);
  compiled.set(source, rules);
  return rules;
}

function compile({ sensitiveFields, safeFields }: ErrorSource): ScrubRules {
  const own = sensitiveFields.map((field) => field.trim()).filter((field) => field !== '');
  const words = [...SECRET_WORDS, ...own].map(literally).join('|');
  const word = new RegExp(words, 'i');
  const ownWord = own.length === 0 ? null : new RegExp(own.map(literally).join('|'), 'i');
  const safe = new Set(safeFields.map((field) => field.trim().toLowerCase()));
  const isSafeName = (name: string): boolean => safe.size > 0 && safe.has(name.toLowerCase());
  return {
    words: word,
    signs: new RegExp(`${words}|@|\\d{4}|cookie|${KEY_SIGNS.join('|')}`, 'i'),
    names: new RegExp(`(?:${words})[\\w-]*`, 'gi'),
    isSecretName: memoize((name) => word.test(name) && !isSafeName(name)),
    isSafeName,
    isOwnName: (name) => ownWord !== null && ownWord.test(name),
    mayChange: preTest(own),
  };
}

function preTest(own: string[]): (json: Buffer) => boolean {
  // JSON can escape these characters, so a text search could miss them.
  if (own.some((field) => /[^\w .-]/.test(field))) return () => true;
  const suspect = new WordSearch({
    inAnyCase: [...SECRET_WORDS, ...own, 'cookie', ...ESCAPED_LETTERS],
    exact: KEY_SIGNS,
  });
  // The last character of a JSON text is a bracket or a quote, which no word needs.
  return (json) =>
    suspect.isIn(json) ||
    mayContainUserInfo(json) ||
    (mayContainCardNumber(json) && containsCardNumber(json.toString('latin1')));
}

const [AT, SLASH, COLON, BACKSLASH] = [0x40, 0x2f, 0x3a, 0x5c];
/** Characters that cannot be in the user part of a URL, as in `USER_INFO`. */
const NO_USER_INFO = new Set([...' \t\n\v\f\r/?#"\'<>\\'].map((sign) => sign.charCodeAt(0)));

/** Finds all that `USER_INFO` finds, and little else, by looking back from each `@`. */
function mayContainUserInfo(json: Buffer): boolean {
  let from = 0;
  for (let at = json.indexOf(AT); at !== -1; at = json.indexOf(AT, from)) {
    let start = at;
    while (start > from && !NO_USER_INFO.has(json[start - 1] as number)) start -= 1;
    if (isAfterScheme(json, start)) return true;
    from = at + 1;
  }
  return false;
}

/** `://`, in which JSON can escape the slashes. */
function isAfterScheme(json: Buffer, end: number): boolean {
  let at = end;
  for (let slashes = 0; slashes < 2; slashes += 1) {
    if (json[at - 1] !== SLASH) return false;
    at -= json[at - 2] === BACKSLASH ? 2 : 1;
  }
  return json[at - 1] === COLON;
}

/**
 * Letters of which one stands in every text that `withoutKeys` changes, apart from `cookie` and
 * `private key`.
 */
const KEY_SIGNS = [
  ...['eyJ', 'AKIA', 'ASIA', 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'pat-'],
  ...['svcoas-', 'svcjt-', 'xox', 'k_live_'],
];

/** Keys and tokens that are recognized by their form, regardless of the text before them. */
const KEYS = new RegExp(
  [
    // RFC 7468; cut texts lack the end.
    '-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\\s\\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)',
    // JSON Web Tokens (RFC 7519): two objects in base64url and a signature.
    '(?<![\\w-])eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]{8,}',
    '\\b(?:AKIA|ASIA)[A-Z\\d]{16}\\b',
    '\\b(?:gh[pousr]_|github_pat_)\\w{22,}',
    '(?<![\\w-])(?:glpat|svcpat|svcoas|svcjt)-[\\w-]{20,}',
    '(?<![\\w-])xox[abeprs]-[\\w-]{10,}',
    '\\b[rs]k_live_\\w{16,}',
    // A header: names with values to the end of the line.
    '(?<=\\b[Cc]ookie: ?)[\\w.-]+=[^\\r\\n"\\\\]+',
  ].join('|'),
  'g',
);

/** The text without private keys, tokens of well-known forms and cookie headers. */
export function withoutKeys(text: string): string {
  return text.replace(KEYS, FILTERED);
}
