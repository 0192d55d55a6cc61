import { damagedSource } from './move-error.js';

/** A reference as it is stored: an object id, or the name of the reference it stands for. */
export interface StoredReference {
  name: string;
  oid: string;
  /** What an annotated tag finally points at, when packed-refs knows it. */
  peeled?: string;
}

export interface PackedReferences {
  references: StoredReference[];
  /** `sorted`, `peeled`, `fully-peeled` as the header states them. */
  traits: Set<string>;
}

const RECORD = /^([0-9a-f]{40}|[0-9a-f]{64}) (\S.*)$/;
const PEELED = /^\^([0-9a-f]{40}|[0-9a-f]{64})$/;

/** Parses the text of a packed-refs file; a line git would not accept is damage. */
export function parsePackedRefs(text: string): PackedReferences {
  const references: StoredReference[] = [];
  const traits = new Set<string>();
  if (text === '') return { references, traits };
  if (!text.endsWith('\n')) throw damagedSource('packed-refs ends in the middle of a line');
  for (const [index, line] of text.slice(0, -1).split('\n').entries()) {
    const record = RECORD.exec(line);
    const peeled = PEELED.exec(line)?.[1];
    const last = references.at(-1);
    if (record?.[1] && record[2] && isReferenceName(record[2])) {
      references.push({ oid: record[1], name: record[2] });
    } else if (peeled && last && last.peeled === undefined) last.peeled = peeled;
    else if (line.startsWith('#')) readTraits(line, traits);
    else throw damagedSource(`packed-refs is broken in line ${index + 1}`);
  }
  return { references, traits };
}

function readTraits(line: string, traits: Set<string>): void {
  if (!line.startsWith('# pack-refs with:')) return;
  for (const trait of line.slice('# pack-refs with:'.length).trim().split(/\s+/)) traits.add(trait);
}

/**
 * Writes references as one packed-refs file, sorted by the bytes of the name.
 *
 * The traits `peeled` and `fully-peeled` may be claimed only when the target of every
 * tag is known: a reader trusts them instead of looking at the object.
 */
export function formatPackedRefs(references: StoredReference[], traits: Set<string>): string {
  const claimed = ['peeled', 'fully-peeled'].filter((trait) => traits.has(trait));
  let text = `# pack-refs with: ${[...claimed, 'sorted'].join(' ')} \n`;
  for (const reference of [...references].sort(byName)) {
    text += `${reference.oid} ${reference.name}\n`;
    if (reference.peeled) text += `^${reference.peeled}\n`;
  }
  return text;
}

/** Byte order of names, which are latin1 strings: code units compare as bytes do. */
export function byName(a: { name: string }, b: { name: string }): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

/** The rules of git-check-ref-format(1) for a full name. */
export function isReferenceName(name: string): boolean {
  if (!name.startsWith('refs/') || name.endsWith('.') || name.endsWith('/')) return false;
  if (/[^!-~\u0080-\u00ff]|[~^:?*[\\]|\.\.|@\{|\/\//.test(name)) return false;
  return !/(^|\/)\.|\.lock(\/|$)/.test(name);
}
