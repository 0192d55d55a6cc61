import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../../activity/activity.service.js';
import type { EventAction } from '../../activity/event-kinds.js';
import { headBranch } from '../../git/git-repository.js';
import type { RefCommand } from '../../git/inflight-write.entity.js';
import { BRANCH_PREFIX, isZeroOid } from '../../git/reference-name.js';
import {
  type RecordedWrite,
  type RefUpdateListener,
  RefUpdateListeners,
  type UpdateReaction,
} from '../../git/ref-update-listeners.service.js';
import { projectIsThere } from './event-project.js';
import { orUntold } from './git-answers.js';
import { readWikiChanges, type WikiPageChange } from './wiki-changes.js';

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
      if (!isFresh || !(await projectIsThere(tx, projectId))) return;
      const pages = await keepPages(tx, projectId, changes);
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

/** The pages with their ids, new ones made; in one order, so that no two pushes block each other. */
async function keepPages(
  tx: EntityManager,
  projectId: number,
  changes: readonly WikiPageChange[],
): Promise<{ id: number; action: EventAction }[]> {
  const rows = await tx.query<{ id: number; path: string }[]>(
    `INSERT INTO wiki_pages (project_id, path)
     SELECT $1, path FROM unnest($2::text[]) AS p (path) ORDER BY path
     ON CONFLICT (project_id, path) DO UPDATE SET path = excluded.path RETURNING id, path`,
    [projectId, changes.map(({ path }) => path)],
  );
  const ids = new Map(rows.map(({ id, path }) => [path, id]));
  return changes.flatMap(({ path, action }) => {
    const id = ids.get(path);
    return id === undefined ? [] : [{ id, action }];
  });
}
