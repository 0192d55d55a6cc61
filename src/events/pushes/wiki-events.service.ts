import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Activity } from '../../core/activity/activity.service.js';
import type { EventAction } from '../../core/activity/event.entity.js';
import { EventsRepository } from '../../core/activity/events.repository.js';
import { headBranch } from '../../git/git-repository.js';
import type { RefCommand } from '../../git/reference-updates.js';
import {
  type RecordedWrite,
  type RefUpdateListener,
  RefUpdateListeners,
  type UpdateReaction,
} from '../../git/push-recorder.service.js';
import { BRANCH_PREFIX, isZeroOid } from '../../git/reference-name.js';
import { wikiPageNames, WikiPagesRepository } from '../wiki-pages.repository.js';
import { orUntold } from './push-events.service.js';
import { streamGit } from '../../git/reading/read-git.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';

interface WikiPageChange {
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
async function readWikiChanges(
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

/**
 * Pushes to a project's wiki leave one event for each page that they change on its default branch
 * (API doc, Events; reference, what creates an event).
 */
@Injectable()
export class WikiEvents implements RefUpdateListener, OnModuleInit {
  private readonly logger = new Logger(WikiEvents.name);

  constructor(
    private readonly listeners: RefUpdateListeners,
    private readonly activity: Activity,
    private readonly events: EventsRepository,
    private readonly pages: WikiPagesRepository,
  ) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  /** Wikis of groups belong to no project, and so their events would never be listed. */
  async prepare(
    write: RecordedWrite,
    updates: readonly RefCommand[],
  ): Promise<UpdateReaction | null> {
    const { kind, userId: authorId, containerId: projectId, repositoryPath: path } = write;
    if (kind !== 'wiki' || authorId === null) return null;
    const update = updateOf(updates, await headBranch(path));
    if (update === null) return null;
    const changes = await orUntold(readWikiChanges({ path }, update), [], (problem) => {
      this.logger.warn(`Pages of ${update.ref} in write ${write.id}: ${String(problem)}`);
    });
    if (changes.length === 0) return null;
    return async (tx, recorded) => {
      const isFresh = recorded.some(({ ref }) => ref === update.ref);
      if (!isFresh || !(await this.events.lockProject(tx, projectId))) return;
      const paths = changes.map(({ path }) => path);
      const ids = await this.pages.ensure(tx, projectId, paths);
      const pages = changes.flatMap(({ path, action }) => {
        const id = ids.get(path);
        return id === undefined ? [] : [{ id, action }];
      });
      const common = { projectId, authorId };
      await this.activity.record(
        tx,
        pages.map(({ id, action }) => ({ ...common, action, target: { type: 'wiki_page', id } })),
      );
    };
  }
}

/** The update of the branch that a wiki shows; one that removes it changes no page. */
function updateOf(updates: readonly RefCommand[], head: string | null): RefCommand | null {
  const isShown = ({ ref, newOid }: RefCommand): boolean =>
    ref === `${BRANCH_PREFIX}${head}` && !isZeroOid(newOid);
  return updates.find(isShown) ?? null;
}
