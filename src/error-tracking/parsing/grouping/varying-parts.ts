/** Longer lines differ in nothing that matters. */
const MAX_LENGTH = 1_024;

/**
 * Parts that differ between two messages of one problem, the most specific first. IDs can contain
 * letters or not, amounts a decimal point or not: all of them are numbers. No pattern takes more
 * than linear time per starting position.
 */
const KINDS: readonly [name: string, pattern: string][] = [
  ['email', '[\\w.%+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,4}'],
  ['url', '[a-z][a-z0-9+.-]{1,15}://[^\\s"\'<>()\\[\\]{}]+'],
  ['ip', '(?<![\\w.:])(?:\\d{1,3}\\.){3}\\d{1,3}(?::\\d{1,5})?(?![\\w.])'],
  ['ip', '(?<![\\w:])(?:[\\da-f]{1,4}:){7}[\\da-f]{1,4}(?![\\w:])'],
  ['ip', '(?<![\\w:])(?:[\\da-f]{1,4}:){1,6}(?::[\\da-f]{1,4}){1,6}(?![\\w:])'],
  ['ip', '(?<![\\w:])::(?:[\\da-f]{1,4}:){0,5}[\\da-f]{1,4}(?![\\w:])'],
  ['traceparent', '\\b\\d\\d-[\\da-f]{32}-[\\da-f]{16}-\\d\\d\\b'],
  ['uuid', '\\b[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}\\b'],
  [
    'date',
    '\\b\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?',
  ],
  [
    'date',
    '\\b(?:mon|tue|wed|thu|fri|sat|sun),? (?:\\d{1,2} )?[a-z]{3} \\d{1,4}(?: \\d{4})? \\d\\d:\\d\\d:\\d\\d(?: (?:gmt|utc|[+-]\\d{4}))*(?: \\d{4})?',
  ],
  ['date', '\\b\\d{1,4}[/.]\\d{1,2}[/.]\\d{1,4}\\b'],
  ['date', '\\b\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?\\b'],
  ['number', '\\b0x[\\da-f]+\\b'],
  ['number', '\\b(?=[a-f]{0,127}\\d)(?=\\d{0,127}[a-f])[\\da-f]{7,128}\\b'],
  [
    'duration',
    '\\b\\d+(?:\\.\\d+)? ?(?:ns|us|µs|ms|s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?)\\b',
  ],
  ['number', '(?<![\\w.])-?\\d+\\.\\d+(?:e[+-]?\\d+)?\\b'],
  ['number', '(?<![a-z\\d_])-?\\d+\\b'],
  ['number', '(?<=[_#])\\d+(?![a-z])'],
  ['quoted', '(?<=[=:] ?)"[^"]*"'],
  ['quoted', "(?<=[=:] ?)'[^']*'"],
  ['bool', '(?<==)(?:true|false)\\b'],
];

const VARYING = new RegExp(KINDS.map(([, pattern]) => `(${pattern})`).join('|'), 'gi');

/**
 * The first line of a message with ids, numbers, times and addresses replaced by their kinds, so
 * that the messages of one problem are the same.
 */
export function messageShape(message: string): string {
  const [line = ''] = message
    .trimStart()
    .slice(0, MAX_LENGTH)
    .split(/[\r\n]/, 1);
  const shape = line.replace(VARYING, (_, ...groups: unknown[]) => `<${kindOf(groups)}>`);
  return shape.replace(/\s+/g, ' ').trim();
}

function kindOf(groups: unknown[]): string {
  const at = groups.findIndex((group) => group !== undefined);
  return KINDS[at]?.[0] ?? 'any';
}
