export const BRANCH_PREFIX = 'refs/heads/';
export const TAG_PREFIX = 'refs/tags/';

/** The object id that stands for "no object": the ref was or becomes absent. */
export function isZeroOid(oid: string): boolean {
  return /^0+$/.test(oid);
}

/** Full hex object id, SHA-1 or SHA-256. */
export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

const MAX_LENGTH = 4096;
/** Names of files have 255 bytes at most, and git needs room for `.lock`. */
const MAX_COMPONENT_BYTES = 250;
// Control characters, space and ~ ^ : ? * [ \ are never allowed (git-check-ref-format(1)).
const FORBIDDEN_CHARACTERS = new RegExp('[\\u0000-\\u0020\\u007f~^:?*\\[\\\\]');

/**
 * Returns true if git accepts this full ref name (`refs/heads/x`) and can store it in a file; the
 * rules of git-check-ref-format(1).
 */
export function isValidReferenceName(name: string): boolean {
  if (name.length > MAX_LENGTH || FORBIDDEN_CHARACTERS.test(name)) return false;
  if (name.includes('..') || name.includes('@{') || name.endsWith('.')) return false;
  const components = name.split('/');
  if (components.length < 2) return false;
  return components.every((component) => {
    if (component.startsWith('.') || component.endsWith('.lock')) return false;
    return component !== '' && Buffer.byteLength(component) <= MAX_COMPONENT_BYTES;
  });
}

/**
 * Returns true if a branch can have this short name. Beyond git's rules it refuses a leading dash
 * (an option to commands that receive it), names that look like an object ID, which they would
 * shadow (CVE-2020-13293), and those that look like a full ref.
 */
export function isValidBranchName(name: string): boolean {
  if (name.startsWith('-') || ['HEAD', '@'].includes(name) || isObjectId(name.toLowerCase()))
    return false;
  if (name.startsWith('refs/')) return false;
  return isValidReferenceName(`${BRANCH_PREFIX}${name}`);
}
