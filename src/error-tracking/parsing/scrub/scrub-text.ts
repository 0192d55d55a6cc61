import { FILTERED, withoutCards } from './card-numbers.js';
import { withoutKeys, type ScrubRules, USER_INFO } from './scrub-rules.js';

/** Words that follow a name and a colon in messages: `token: is expired`. */
const WORDS_OF_MESSAGES = new Set(
  (
    'a about above absent access after all already an and any are argument array as at authentication ' +
    'bad be before been below between boolean both but by can cannot cant check checking client confirm ' +
    'connection contains could couldnt declined denied did didnt disabled does doesnt ' +
    'done dont duplicate each either empty enabled end enter error errors exceeded exception existing ' +
    'exists expected expects expired expires failed fails failure fetch fetching field for forbidden ' +
    'found from function got had has have ignored illegal in incorrect input insufficient internal ' +
    'invalid is isnt it key keyword length less limit lookup malformed match may mismatch missing more ' +
    'most must name need needs neither network never no none not nothing null number object of on ' +
    'only operation operator or out permission please provided punc punctuation ' +
    'received refresh refreshed refreshing refused rejected request required requires response retry ' +
    'retrying revoked rotated sent server service should signature skipped some still string ' +
    'success successful succeeded such temporary than that the this timed timeout to token tokens too ' +
    'try type unable unauthorized undefined unexpected unknown unrecognized unset unsupported ' +
    'unterminated until updated use used using valid validation value verification was ' +
    'were when while will with without wrong you your'
  ).split(' '),
);

/** Values without content, and placeholders of templates. */
const EMPTY =
  /^(?:null|nil|none|undefined|nan|true|false|yes|no|on|off|ok|n\/a|%(?:\(\w+|[-\d.]*[a-z])|\{[\w.]*\}?|\$\{?[\w.]+\}?|[*.x…•-]{3,}|\[?(?:filtered|redacted|masked|hidden|removed)\]?)$/i;
const PLAIN_WORD = /^[A-Za-z]+(?:['’_-][A-Za-z]+)*$/;
const NO_WORD = /^[^\p{L}\p{N}]{1,3}$/u;

/** Names that only begin like a secret: `author`, `tokenizer`, `auth0`. */
const BETWEEN_PARTS = /[\d_-]|(?<=[a-z])(?=[A-Z])/;
const INNOCENT =
  /^(?:authors?|authored|authoring|authorities|authority|authentic\w*|authoriz(?:ed|ing)|authoris(?:ed|ing)|tokeni[sz]\w*|secretar\w*|passwordless)$/i;
/** Words that make a following `token:` refer to syntax, not to a key. */
const OF_GRAMMAR = /\b(?:unexpected|illegal|unrecognized|expected|unknown) $/i;

interface NamedText {
  text: string;
  /** The complete name around the match, and its start. */
  name: string;
  nameStart: number;
  /** Separator between name and value, including blanks. */
  sign: string;
  value: string;
  valueEnd: number;
}

/** Tests whether a message only mentions a secret by name, without its value. */
function isProse(named: NamedText): boolean {
  const { name, sign, value, text, nameStart } = named;
  const word = withoutEnd(value);
  if (word === '' || EMPTY.test(word) || EMPTY.test(value) || NO_WORD.test(word)) return true;
  if (isInnocentName(name)) return true;
  if (!sign.includes(':') || /=|["'`]$/.test(sign)) return false;
  if (/tokens$/i.test(name) && /^\d+$/.test(word)) return true;
  if (/token$/i.test(name) && OF_GRAMMAR.test(text.slice(Math.max(0, nameStart - 16), nameStart))) {
    return true;
  }
  if (/:$/.test(sign) && /^\d+:/.test(text.slice(named.valueEnd - value.length))) return true;
  return PLAIN_WORD.test(word) && isSpeech(named, word);
}

/** Removes punctuation that ends a sentence. */
function withoutEnd(value: string): string {
  let end = value.length;
  while (end > 0 && '.!?…:'.includes(value.charAt(end - 1))) end -= 1;
  return value.slice(0, end);
}

/**
 * Tests for a common message word, or for plain words in a row. After password and secret names
 * only a common word counts, since passphrases are plain words.
 */
function isSpeech({ name, sign, text, valueEnd }: NamedText, word: string): boolean {
  const [first = ''] = word.toLowerCase().replace(/['’]/g, '').split(/[_-]/);
  if (WORDS_OF_MESSAGES.has(first)) return true;
  if (/pass|pwd|secret$/i.test(name) || !/\s$/.test(sign)) return false;
  const isCredential = /(?:basic|bearer|digest|negotiate)\s+$/i.test(sign);
  if (/auth(?:entication|orization)?$/i.test(name) && word.length < 16) return !isCredential;
  return /^(?: [A-Za-z]+\b){2}/.test(text.slice(valueEnd, valueEnd + 80));
}

/** Tests whether the name only resembles a secret because of a longer word. */
function isInnocentName(name: string): boolean {
  const parts = name.split(BETWEEN_PARTS);
  return (
    parts.some((part) => INNOCENT.test(part)) && !/(?:token|secret|passw|key|auth)$/i.test(name)
  );
}

const ALL_USER_INFO = new RegExp(USER_INFO.source, 'g');

/** Keeps `AuthError: no such user`, which describes the error. */
const NAME_OF_ERROR = /(?:error|exception|failure|warning)$/i;

/** Words between a name and its value: `Authorization: Basic …`, `token=Bearer …`. */
const SCHEME = /(?:basic|bearer|digest|negotiate|token)[ \t]+/iy;

/** Characters between a name and the sign before its value: `password\"]`. */
const CLOSING = '\\"\'`])';
const BLANKS = ' \t';
const END_OF_VALUE = ' \t\r\n,;&|)}]<>"\'`\\';

/**
 * A text for people without what follows a secret word as its value (`password=x`, `Bearer x`,
 * quoted texts), without names and passwords in URLs and without card numbers. The rest stays:
 * "password authentication failed" has to be readable.
 */
export function scrubText(text: string, rules: ScrubRules): string {
  if (!rules.signs.test(text)) return text;
  const named = rules.words.test(text) ? withoutValues(text, rules) : text;
  return withoutMarkedSecrets(named);
}

/** The text without names and passwords in URLs, well-known tokens and card numbers. */
export function withoutMarkedSecrets(text: string): string {
  const anonymous = USER_INFO.test(text) ? text.replace(ALL_USER_INFO, `://${FILTERED}@`) : text;
  return withoutCards(withoutKeys(anonymous));
}

function withoutValues(text: string, rules: ScrubRules): string {
  const names = new RegExp(rules.names);
  let kept = '';
  let from = 0;
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    const after = names.lastIndex;
    const [start, end] = valueAfter(text, match[0], after);
    const name = wholeName(text, match.index, after);
    if (start === end || rules.isSafeName(name)) continue;
    const value = text.slice(start, end);
    const sign = text.slice(after, start);
    const nameStart = after - name.length;
    // The prose rules cover only built-in names, not additional words of a project.
    const isOwn = rules.isOwnName(match[0]);
    if (!isOwn && isProse({ text, name, nameStart, sign, value, valueEnd: end })) continue;
    kept += text.slice(from, start) + FILTERED;
    from = end;
    names.lastIndex = end;
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** Where the value of a name begins and ends; the same place twice when it has none. */
function valueAfter(text: string, name: string, end: number): [start: number, end: number] {
  const sign = skip(text, skip(text, end, CLOSING), BLANKS);
  const first = afterSign(text, sign);
  if (first === null && !/^bearer$/i.test(name)) return [end, end];
  if (first !== null && NAME_OF_ERROR.test(name)) return [end, end];
  const blanks = skip(text, first ?? sign, BLANKS);
  const start = afterScheme(text, blanks);
  const [from, to] = quoted(text, start) ?? [start, endOfValue(text, start)];
  if (first === null) return isCredential(text.slice(from, to)) ? [from, to] : [end, end];
  if (!/authorization$/i.test(name)) return [from, to];
  // Credentials after a scheme can contain blanks and commas.
  return start > blanks || isCredential(text.slice(from, to))
    ? [start, endOfLine(text, start)]
    : [from, to];
}

/** Behind `=`, `:`, `=>`, `:=` or `==`; null when there is no such sign, as in `Token::new`. */
function afterSign(text: string, at: number): number | null {
  const after = skip(text, at, '=:');
  if (after === at || text.startsWith('::', at)) return null;
  return text.charAt(after) === '>' ? after + 1 : after;
}

/** Excludes messages without credentials: `Bearer token is missing`, `Bearer realm="x"`. */
function isCredential(value: string): boolean {
  return !/^\w+=/.test(value) && (/\d/.test(value) || /\w\.\w/.test(value) || value.length >= 20);
}

function afterScheme(text: string, at: number): number {
  SCHEME.lastIndex = at;
  return SCHEME.test(text) ? SCHEME.lastIndex : at;
}

/** Returns the range between quotes, including escaped quotes of nested strings. */
function quoted(text: string, start: number): [start: number, end: number] | null {
  const open = skip(text, start, '\\');
  const quote = text.charAt(open);
  if (quote === '' || !'"\'`'.includes(quote)) return null;
  const escapes = open - start;
  for (let at = open + 1; at < text.length; at++) {
    if (text.charAt(at) === '\\' && escapes === 0) at += 1;
    else if (text.charAt(at) === quote) return [open + 1, withoutEscapes(text, open + 1, at)];
  }
  return [open + 1, text.length];
}

function withoutEscapes(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && text.charAt(at - 1) === '\\') at -= 1;
  return at;
}

function endOfValue(text: string, start: number): number {
  let at = start;
  while (at < text.length && !END_OF_VALUE.includes(text.charAt(at))) at += 1;
  return at;
}

function endOfLine(text: string, start: number): number {
  let at = start;
  while (at < text.length && !'\r\n"\'`\\'.includes(text.charAt(at))) at += 1;
  return at;
}

function skip(text: string, from: number, characters: string): number {
  let at = from;
  while (at < text.length && characters.includes(text.charAt(at))) at += 1;
  return at;
}

function wholeName(text: string, from: number, end: number): string {
  let start = from;
  while (start > 0 && /[\w-]/.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, end);
}
