/** Longer paths are truncated at the front: their end is more specific. */
const MAX_LENGTH = 1_024;

/** Names of files that many directories have; the directory distinguishes them. */
const COMMON = /^(?:index|main|mod|lib|page|route|layout|app|init|__init__|utils?|helpers?)$/;

/** Parts that a build puts into names: `main.3f2a9c.js`, `chunk-BX7dk3_z.js`, `app.min.js`. */
const HEX_PART = /[.-](?=[\da-f]*\d)[\da-f]{5,64}(?=[.-]|$)/gi;
const MARKS = /\.(?:min|chunk|bundle|esm|cjs|prod|development|production)(?=\.|$)/gi;
const HASH_PART = /^[.-](?=[\w-]*[A-Z])(?=[\w-]*[a-z\d])[\w-]{8}$/;
const HASH_LENGTH = 9;

/** Directories that differ between releases: `/releases/20240101/`, `/3f2a9c8b/`, `/v1.2.3/`. */
const RELEASE_DIRECTORY = /^(?:v?\d[\d._-]*|(?=[a-f]*\d)[\da-f]{6,64}|current|releases|\.+|)$/i;

/**
 * The name of a source file without what differs between builds, releases and machines: no
 * directory, except before names as common as `index`, no hash of a build, in lower case.
 */
export function fileName(path: string): string | null {
  const [address = ''] = path.slice(-MAX_LENGTH).split(/[?#]/, 1);
  const segments = address.replace(/^[\w+.-]*:\/\/[^/\\]*/, '').split(/[/\\]/);
  const base = segments.pop() ?? '';
  if (base === '' || base.startsWith('<') || base === 'unknown') return null;
  const name = withoutBuild(base);
  const [stem = ''] = name.split('.', 1);
  const directory = COMMON.test(stem) ? segments.findLast(isLasting) : undefined;
  return directory === undefined ? name : `${directory.toLowerCase()}/${name}`;
}

function withoutBuild(base: string): string {
  const dot = base.lastIndexOf('.');
  const stem = dot > 0 ? base.slice(0, dot) : base;
  const extension = dot > 0 ? base.slice(dot) : '';
  const named = HASH_PART.test(stem.slice(-HASH_LENGTH)) ? stem.slice(0, -HASH_LENGTH) : stem;
  const lasting = named.replace(HEX_PART, '').replace(MARKS, '');
  return `${lasting === '' ? stem : lasting}${extension}`.toLowerCase();
}

function isLasting(directory: string): boolean {
  return !RELEASE_DIRECTORY.test(directory) && !directory.endsWith(':');
}
