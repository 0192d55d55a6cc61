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

export interface NamedText {
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
export function isProse(named: NamedText): boolean {
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
