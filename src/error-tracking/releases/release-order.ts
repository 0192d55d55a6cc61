/** A release with its position in the order of first sight; null before it is known. */
export interface SeenRelease {
  version: string;
  position: number | null;
}

/** `package@1.2.3-beta.1+build`; package, `v`, prerelease and build are optional. */
const SEMANTIC =
  /^(?:([^@]*)@)?v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * Returns true if a release is newer than another one: by precedence if both are semantic versions
 * of one package, else by first sight. A release without a position is newer than all known ones.
 */
export function isNewerRelease(release: SeenRelease, base: SeenRelease): boolean {
  if (release.version === base.version) return false;
  const order = compareVersions(release.version, base.version);
  if (order !== null && order !== 0) return order > 0;
  return (release.position ?? Infinity) > (base.position ?? Infinity);
}

/** Returns the newest of releases that are given in the order of first sight. */
export function newestRelease(releases: readonly SeenRelease[]): SeenRelease | null {
  return releases.reduce<SeenRelease | null>(
    (newest, release) => (newest === null || isNewerRelease(release, newest) ? release : newest),
    null,
  );
}

/** Returns null unless both are semantic versions of one package. */
function compareVersions(one: string, other: string): number | null {
  const [a, b] = [SEMANTIC.exec(one), SEMANTIC.exec(other)];
  if (a === null || b === null || a[1] !== b[1]) return null;
  for (const at of [2, 3, 4]) {
    const difference = Number(a[at]) - Number(b[at]);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(a[5], b[5]);
}

/** A version comes after its prereleases; numbers come before words, fewer parts before more. */
function comparePrereleases(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined);
  }
  const [a, b] = [one.split('.'), other.split('.')];
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const order = compareParts(a[at] as string, b[at] as string);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareParts(a: string, b: string): number {
  if (a === b) return 0;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return Number(a) - Number(b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : 1;
}
