/** Kinds of things that texts refer to. */
export type ReferenceKind =
  'issue' | 'merge_request' | 'snippet' | 'milestone' | 'user' | 'commit' | 'url';

/** A reference as written in a text. */
export interface Reference {
  kind: ReferenceKind;
  /** Full path of the project; '' for the project of the text. */
  project: string;
  /**
   * Number of an issue, merge request or snippet; title of a milestone, or `iid:` and its number;
   * name of a user or full path of a group; at least seven digits of a commit; a whole URL.
   */
  name: string;
}

/** A reference in a text. */
interface FoundReference {
  start: number;
  end: number;
  reference: Reference;
}

/** Further ones of a text stay as they are. */
export const MAX_REFERENCES = 500;

const PATH = '[a-z0-9_][a-z0-9_.-]*(?:/[a-z0-9_.-]+)+';
const NAME = '[a-z0-9]+(?:[._-][a-z0-9]+)*';
/** Words, addresses and paths hide what stands in them; so does a sign that is repeated. */
const START = String.raw`(?<![\p{L}\p{N}_@#!$%&/.\\+-])`;
/** `#1.5`, `$5,000` and `#1st` are no references. */
const END = String.raw`(?![\p{L}\p{N}_]|[.,]\d)`;

/** The paths begin at no other character than the first of a word, so all takes linear time. */
const REFERENCES = new RegExp(
  [
    `${START}(?<project>${PATH})?(?<sign>[#!$])(?<number>\\d{1,10})${END}`,
    `${START}(?<place>${PATH})?%(?:"(?<quoted>[^"\\n]{1,255})"|(?<title>[\\p{L}\\p{N}_]+(?:[.-][\\p{L}\\p{N}_]+)*))`,
    `${START}(?:(?<repository>${PATH})@)?(?<sha>(?=[a-f]*\\d)(?=\\d*[a-f])[0-9a-f]{7,40})(?!\\.?[\\p{L}\\p{N}_/@-])`,
    `${START}@(?<user>${NAME}(?:/${NAME})*)(?![\\p{L}\\p{N}_@])`,
  ].join('|'),
  'giu',
);

const KINDS: Readonly<Record<string, ReferenceKind>> = {
  '#': 'issue',
  '!': 'merge_request',
  $: 'snippet',
};

/** Returns the references of plain text in their order. Takes linear time. */
export function referencesIn(text: string): FoundReference[] {
  const found: FoundReference[] = [];
  for (const { index, 0: match, groups = {} } of text.matchAll(REFERENCES)) {
    found.push({ start: index, end: index + match.length, reference: referenceOf(groups) });
    if (found.length === MAX_REFERENCES) break;
  }
  return found;
}

function referenceOf(groups: Readonly<Record<string, string | undefined>>): Reference {
  const { sign, number, sha, user } = groups;
  const project = groups['project'] ?? groups['place'] ?? groups['repository'] ?? '';
  if (sign !== undefined) return { kind: KINDS[sign] ?? 'issue', project, name: number ?? '' };
  if (sha !== undefined) return { kind: 'commit', project, name: sha.toLowerCase() };
  if (user !== undefined) return { kind: 'user', project: '', name: user };
  return { kind: 'milestone', project, name: groups['quoted'] ?? groups['title'] ?? '' };
}

const OWN_PAGE =
  /^\/([^?#]+)\/-\/(issues(?:\/incident)?|merge_requests|snippets|milestones|commit)\/([0-9a-f]{1,40})(#note_\d{1,18})?$/i;

const PAGE_KINDS: Readonly<Record<string, ReferenceKind>> = {
  issues: 'issue',
  'issues/incident': 'issue',
  merge_requests: 'merge_request',
  snippets: 'snippet',
  milestones: 'milestone',
  commit: 'commit',
};

/** Returns true if the URL could lead to something that has a reference, on any instance. */
export function isReferable(url: string): boolean {
  return URL.canParse(url) && OWN_PAGE.test(url.replace(/^https?:\/\/[^/]+/i, ''));
}

/** Returns what a URL of this instance leads to, with the comment in it; null for anything else. */
export function referenceOfUrl(
  url: string,
  baseUrl: string,
): { reference: Reference; fragment: string } | null {
  if (!url.startsWith(`${baseUrl}/`)) return null;
  const [, project = '', page = '', name = '', fragment = ''] =
    OWN_PAGE.exec(url.slice(baseUrl.length)) ?? [];
  const kind = PAGE_KINDS[page.toLowerCase()];
  if (kind === undefined || (kind === 'commit') !== name.length >= 7) return null;
  if (kind !== 'commit' && !/^\d{1,10}$/.test(name)) return null;
  const id = kind === 'milestone' ? `iid:${name}` : name.toLowerCase();
  return { reference: { kind, project, name: id }, fragment };
}

/** The key under which a page knows a reference, also in rendered texts. */
export function referenceKey({ kind, project, name }: Reference): string {
  return [kind, project.toLowerCase(), kind === 'user' ? name.toLowerCase() : name].join('|');
}

/** Reverses `referenceKey`; names can contain its separator. */
export function referenceOfKey(key: string): Reference {
  const [kind = '', project = '', ...name] = key.split('|');
  return { kind: kind as ReferenceKind, project, name: name.join('|') };
}

/** Only quotes of a name are not escaped: what follows the last one is a label or the end of a list. */
const LABELS = /(?<!\\)~(?:"(.+?)"(?= (?:~|labels?(?:$| and removed ~)))|([\w.:\\-]+))/g;

/** Makes the labels of a system note bold: `added ~bug label` → `added **bug** label`. */
export function withLabelNames(note: string): string {
  if (!/^(?:added|removed) ~/.test(note)) return note;
  return note.replace(LABELS, '**$1$2**');
}
