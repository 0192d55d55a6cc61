/** Words with which messages go on after a name and a colon: `token: is expired`. */
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

/** Values that tell nothing, and what stands for a value that is put in later. */
const EMPTY =
  /^(?:null|nil|none|undefined|nan|true|false|yes|no|on|off|ok|n\/a|%(?:\(\w+|[-\d.]*[a-z])|\{[\w.]*\}?|\$\{?[\w.]+\}?|[*.x…•-]{3,}|\[?(?:filtered|redacted|masked|hidden|removed)\]?)$/i;
const PLAIN_WORD = /^[A-Za-z]+(?:['’_-][A-Za-z]+)*$/;
const NO_WORD = /^[^\p{L}\p{N}]{1,3}$/u;

/** Names of code and of persons that only begin like a secret: `author`, `tokenizer`, `auth0`. */
const BETWEEN_PARTS = /[\d_-]|(?<=[a-z])(?=[A-Z])/;
const INNOCENT =
  /^(?:authors?|authored|authoring|authorities|authority|authentic\w*|authoriz(?:ed|ing)|authoris(?:ed|ing)|tokeni[sz]\w*|secretar\w*|passwordless)$/i;
/** In front of `token:` these speak of the grammar of a text, not of a key. */
const OF_GRAMMAR = /\b(?:unexpected|illegal|unrecognized|expected|unknown) $/i;

export interface NamedText {
  text: string;
  /** The name with all letters around it, and where it begins. */
  name: string;
  nameStart: number;
  /** What stands between name and value, blanks included. */
  sign: string;
  value: string;
  valueEnd: number;
}

/** Whether a message speaks of something whose name sounds secret, and gives away no value of it. */
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

/** The word without what ends a sentence. */
function withoutEnd(value: string): string {
  let end = value.length;
  while (end > 0 && '.!?…:'.includes(value.charAt(end - 1))) end -= 1;
  return value.slice(0, end);
}

/** A word of messages, or one of several plain words; what is named a password has to be the first. */
function isSpeech({ name, sign, text, valueEnd }: NamedText, word: string): boolean {
  const [first = ''] = word.toLowerCase().replace(/['’]/g, '').split(/[_-]/);
  if (WORDS_OF_MESSAGES.has(first)) return true;
  if (/pass|pwd|secret$/i.test(name) || !/\s$/.test(sign)) return false;
  if (/auth(?:entication|orization)?$/i.test(name) && word.length < 16) return true;
  return /^(?: [A-Za-z]+\b){2}/.test(text.slice(valueEnd, valueEnd + 80));
}

/** Whether all that sounds secret in the name belongs to a longer word. */
function isInnocentName(name: string): boolean {
  const parts = name.split(BETWEEN_PARTS);
  return (
    parts.some((part) => INNOCENT.test(part)) && !/(?:token|secret|passw|key|auth)$/i.test(name)
  );
}
