import type { EventAction } from '../../activity/event-kinds.js';
import { isZeroOid } from '../../git/reference-name.js';
import { streamGit } from '../../git/reading/read-git.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import { wikiPageNames } from '../wiki-page-names.js';

export interface WikiPageChange {
  path: string;
  action: EventAction;
}

/** Pages of one push that leave events. */
const MAX_PAGES = 100;
/** Longer ones would not fit into the index of pages. */
const MAX_PATH_BYTES = 2_000;
const ACTIONS: Readonly<Record<string, EventAction>> = {
  A: 'created',
  M: 'updated',
  T: 'updated',
  D: 'destroyed',
};

/**
 * The pages that an update of a wiki's branch changed, the first 100 of them in the order of their
 * paths; one that got another name is destroyed and created.
 */
export async function readWikiChanges(
  repository: OpenRepository,
  { oldOid, newOid }: { oldOid: string; newOid: string },
): Promise<WikiPageChange[]> {
  const changes = new ChangeReader();
  const [command, ...trees] = isZeroOid(oldOid)
    ? ['ls-tree', '--full-tree', '--name-only', newOid]
    : ['diff-tree', '--no-renames', '--name-status', oldOid, newOid];
  await streamGit(repository, {
    args: [command, '-r', '-z', ...trees],
    take: (chunk) => changes.take(chunk, isZeroOid(oldOid)),
  });
  return changes.pages;
}

/** Picks pages out of `-z` output while it comes. */
class ChangeReader {
  readonly pages: WikiPageChange[] = [];
  private readonly seen = new Set<string>();
  private rest: Buffer = Buffer.alloc(0);
  private status: string | null = null;

  /** Returns true if more is needed; with `areNew` there are only names, all of new files. */
  take(chunk: Buffer, areNew: boolean): boolean {
    this.rest = Buffer.concat([this.rest, chunk]);
    for (let end = this.rest.indexOf(0); end !== -1; end = this.rest.indexOf(0)) {
      this.field(this.rest.subarray(0, end), areNew);
      this.rest = this.rest.subarray(end + 1);
      if (this.pages.length === MAX_PAGES) return false;
    }
    return true;
  }

  private field(bytes: Buffer, isName: boolean): void {
    if (!isName && this.status === null) {
      this.status = bytes.toString('latin1');
      return;
    }
    const action = isName ? 'created' : ACTIONS[this.status ?? ''];
    this.status = null;
    const path = bytes.toString('utf8');
    if (action === undefined || bytes.length > MAX_PATH_BYTES || wikiPageNames(path) === null)
      return;
    // Names that differ only in bytes that are no UTF-8 are the same to us.
    if (this.seen.has(path)) return;
    this.seen.add(path);
    this.pages.push({ path, action });
  }
}
