/** Browser and operating system names from a user agent. */
interface Device {
  /** `Firefox 128`, or null for what is not known. */
  browser: string | null;
  /** `Windows`, or null for what is not known. */
  system: string | null;
  isMobile: boolean;
}

/** Longer texts are cut before they are looked at: anyone can send anything. */
const MAX_LENGTH = 255;

/** Names by their mark, the most specific first: most browsers also claim to be others. */
const BROWSERS: readonly [mark: string, name: string][] = [
  ['Edg/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['EdgiOS/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Vivaldi/', 'Vivaldi'],
  ['FxiOS/', 'Firefox'],
  ['Firefox/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['HeadlessChrome/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Version/', 'Safari'],
  ['curl/', 'curl'],
];

const SYSTEMS: readonly [mark: string, name: string][] = [
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
];

const MOBILE_MARKS = ['Mobi', 'iPhone', 'iPad', 'Android'];

/** Reads a User-Agent header (RFC 9110 §10.1.5) in linear time; it can hold anything. */
export function describeDevice(userAgent: string): Device {
  const text = userAgent.slice(0, MAX_LENGTH);
  return {
    browser: browserOf(text),
    system: SYSTEMS.find(([mark]) => text.includes(mark))?.[1] ?? null,
    isMobile: MOBILE_MARKS.some((mark) => text.includes(mark)),
  };
}

function browserOf(text: string): string | null {
  const found = BROWSERS.find(([mark]) => text.includes(mark));
  if (found === undefined) return null;
  const [mark, name] = found;
  if (name === 'Safari' && !text.includes('Safari/')) return null;
  const version = leadingDigits(text.slice(text.indexOf(mark) + mark.length));
  return version === '' ? name : `${name} ${version}`;
}

function leadingDigits(text: string): string {
  return /^\d{1,4}/.exec(text)?.[0] ?? '';
}
