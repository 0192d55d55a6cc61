import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Activity } from '../../activity/activity.service.js';
import { EventsRepository } from '../../activity/events.repository.js';
import { headBranch } from '../../git/git-repository.js';
import type { RefCommand } from '../../git/inflight-write.entity.js';
import { BRANCH_PREFIX, isZeroOid } from '../../git/reference-name.js';
import {
  type RecordedWrite,
  type RefUpdateListener,
  RefUpdateListeners,
  type UpdateReaction,
} from '../../git/ref-update-listeners.service.js';
import { WikiPagesRepository } from '../wiki-pages.repository.js';
import { orUntold } from './git-answers.js';
import { readWikiChanges } from './wiki-changes.js';

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
