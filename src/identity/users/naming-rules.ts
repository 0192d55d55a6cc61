/** Paths that routes of our own occupy at the top level (API doc is silent; usual v4 list). */
const RESERVED_TOP_LEVEL = new Set(
  (
    '- .well-known 404.html 422.html 500.html 502.html 503.html admin api apple-touch-icon.png ' +
    'assets dashboard deploy.html explore favicon.ico favicon.png files groups health_check help ' +
    'import invites jwt login oauth profile projects public robots.txt s search sitemap ' +
    'sitemap.xml sitemap.xml.gz slash-command-logo.png snippets unsubscribes uploads users v2'
  ).split(' '),
);

/** Paths that no project or subgroup may have. */
const RESERVED_BELOW = new Set(
  (
    '- badges blame blob builds commits create create_dir edit environments/folders files ' +
    'find_file info/lfs/objects new preview raw refs tree update wikis'
  ).split(' '),
);

const PATH_PATTERN = /^[a-zA-Z0-9_.][a-zA-Z0-9_.-]*$/;
const SPECIAL_EDGE = /^[._-]|[._-]$|[._-]{2}/;
const MAX_LENGTH = 255;

/**
 * Line breaks and other control characters, and characters that change the direction of text (UAX
 * #9 §2): they let a name pass for other text wherever it is shown.
 */
const MISLEADING = /[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/** Returns messages that refuse the display name of a user, group or project, none when it is valid. */
export function displayNameProblems(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"];
  if (name.length > MAX_LENGTH) return [`is too long (maximum is ${MAX_LENGTH} characters)`];
  return MISLEADING.test(name)
    ? ['cannot contain line breaks, control characters or text direction characters']
    : [];
}

const PATH_FORMAT_MESSAGE =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git' or end in '.atom'";

/**
 * Returns messages that refuse the path, none when it is valid. Namespaces can begin with an
 * underscore or dot by the format, but special characters must not stand at an edge or be doubled.
 */
export function pathProblems(path: string, level: 'top' | 'below'): string[] {
  if (path === '') return ["can't be blank"];
  if (path.length > MAX_LENGTH) return [`is too long (maximum is ${MAX_LENGTH} characters)`];
  const reserved = level === 'top' ? RESERVED_TOP_LEVEL : RESERVED_BELOW;
  if (reserved.has(path.toLowerCase())) return [`${path} is a reserved name`];
  const hasBadEnding = /\.(git|atom)$/i.test(path);
  const isGood = PATH_PATTERN.test(path) && !hasBadEnding && !SPECIAL_EDGE.test(path);
  return isGood ? [] : [PATH_FORMAT_MESSAGE];
}

/** Returns a path for a name: lower case, with dashes for everything but letters and digits. */
export function pathFromName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '');
}
