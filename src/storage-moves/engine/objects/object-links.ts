import type { GitObject, ObjectLink } from './git-object.js';
import { isObjectType } from './git-object.js';

/**
 * The objects a commit, tree or tag needs (gitformat-pack and git-mktag documents).
 * Null when the object cannot be read; a submodule's commit lives elsewhere and is no link.
 */
export function objectLinks(object: GitObject): ObjectLink[] | null {
  if (object.type === 'blob') return [];
  if (object.type === 'tree') return treeLinks(object.data);
  return object.type === 'commit' ? commitLinks(object.data) : tagLinks(object.data);
}

function commitLinks(data: Buffer): ObjectLink[] | null {
  const [first = '', ...lines] = headerLines(data);
  const tree = /^tree ([0-9a-f]{40})$/.exec(first)?.[1];
  if (tree === undefined) return null;
  const links: ObjectLink[] = [{ oid: tree, type: 'tree' }];
  for (const line of lines) {
    const parent = /^parent ([0-9a-f]{40})$/.exec(line)?.[1];
    if (parent === undefined) break;
    links.push({ oid: parent, type: 'commit' });
  }
  return links;
}

function tagLinks(data: Buffer): ObjectLink[] | null {
  const [first = '', second = ''] = headerLines(data);
  const oid = /^object ([0-9a-f]{40})$/.exec(first)?.[1];
  const type = second.startsWith('type ') ? second.slice('type '.length) : '';
  return oid === undefined || !isObjectType(type) ? null : [{ oid, type }];
}

function headerLines(data: Buffer): string[] {
  const end = data.indexOf('\n\n');
  return data.toString('latin1', 0, end === -1 ? data.length : end).split('\n');
}

function treeLinks(data: Buffer): ObjectLink[] | null {
  const links: ObjectLink[] = [];
  let position = 0;
  while (position < data.length) {
    const space = data.indexOf(0x20, position);
    const end = data.indexOf(0, space);
    if (space === -1 || end === -1 || end + 21 > data.length) return null;
    const mode = Number.parseInt(data.toString('latin1', position, space), 8) & 0o170000;
    const oid = data.toString('hex', end + 1, end + 21);
    position = end + 21;
    if (mode === 0o160000) continue;
    links.push({ oid, type: mode === 0o040000 ? 'tree' : 'blob' });
  }
  return links;
}
