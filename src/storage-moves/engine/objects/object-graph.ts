import { damagedSource } from '../move-error.js';
import type { GitObject, ObjectLink, ObjectType } from './git-object.js';
import { objectLinks } from './object-links.js';

interface Node {
  type: ObjectType;
  links: ObjectLink[];
}

/** All objects of a small repository with what they point at; contents are not kept. */
export class ObjectGraph {
  private readonly nodes = new Map<string, Node>();

  /** Throws MoveError when the object cannot be read. */
  add(oid: string, object: GitObject): void {
    const links = objectLinks(object);
    if (links === null) throw damagedSource(`broken ${object.type} ${oid}`);
    this.nodes.set(oid, { type: object.type, links });
  }

  /** Follows every link from the given objects; throws MoveError at the first gap. */
  requireConnected(roots: Iterable<string>): void {
    const seen = new Set<string>(roots);
    const open = [...seen];
    for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
      for (const link of this.nodes.get(oid)?.links ?? []) {
        this.requireTarget(link);
        if (seen.has(link.oid)) continue;
        seen.add(link.oid);
        open.push(link.oid);
      }
    }
  }

  typeOf(oid: string): ObjectType | undefined {
    return this.nodes.get(oid)?.type;
  }

  /** What a tag finally points at; undefined for anything but a tag. */
  peel(oid: string): string | undefined {
    let current = oid;
    while (this.nodes.get(current)?.type === 'tag') {
      current = this.nodes.get(current)?.links[0]?.oid ?? '';
    }
    return current === oid ? undefined : current;
  }

  private requireTarget(link: ObjectLink): void {
    const type = this.typeOf(link.oid);
    if (type === undefined) throw damagedSource(`missing ${link.type} ${link.oid}`);
    if (type !== link.type) throw damagedSource(`${link.oid} is a ${type}, not a ${link.type}`);
  }
}
