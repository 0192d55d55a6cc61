import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { TransactionRows } from '../../core/sql/sql.service.js';
import { ErrorActivitiesRepository } from '../error-activities.repository.js';
import { ERROR_STATUS } from '../error-values.js';
import { ErrorGroupsRepository } from '../errors/error-groups.repository.js';
import {
  ErrorReleasesRepository,
  type ProjectRelease,
} from '../releases/error-releases.repository.js';
import { isNewerRelease, type SeenRelease } from '../releases/release-order.js';
import { newestOf, summaryOf, type GroupedEvents, type IngestItem } from './grouped-events.js';

/** An event reopened a resolved error, or ended an ignored status. */
export type StatusChange = 'regressed' | 'ignore_ended';

/** Releases that this process remembers as stored. */
const REMEMBERED = 10_000;

/** Positions of releases by project and version. */
type Positions = ReadonlyMap<string, number>;

/** Decides which events reopen their error, and remembers releases in the order of first sight. */
@Injectable()
export class ErrorTransitions {
  private readonly known = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(
    private readonly errors: ErrorGroupsRepository,
    private readonly releases: ErrorReleasesRepository,
    private readonly activities: ErrorActivitiesRepository,
  ) {}

  /** Stores releases that this process sees for the first time; no statement without one. */
  async noteReleases(items: readonly IngestItem[]): Promise<void> {
    const unknown = releasesOf(items).filter((release) => !this.known.has(keyOf(release)));
    if (unknown.length === 0) return;
    await this.releases.insertNew(unknown);
    for (const release of unknown) this.known.set(keyOf(release), true);
  }

  /** Counts the events of errors, reopens those that they reopen, and records that. */
  async countEvents(rows: TransactionRows, groups: readonly GroupedEvents[]): Promise<void> {
    const changes = await this.findChanges(rows, groups);
    const summaries = groups.map((group) => summaryOf(group, changes.get(group.error.id)));
    await this.errors.countEvents(rows, summaries);
    if (changes.size === 0) return;
    const recorded = groups.flatMap((group) => {
      const action = changes.get(group.error.id);
      const detail = action === 'regressed' ? newestOf(group).event.release : null;
      return action === undefined ? [] : { errorId: group.error.id, actorId: null, action, detail };
    });
    await this.activities.insertAll(rows, recorded);
  }

  private async findChanges(
    rows: TransactionRows,
    groups: readonly GroupedEvents[],
  ): Promise<Map<number, StatusChange>> {
    const positions = await this.findPositions(rows, groups);
    const changes = new Map<number, StatusChange>();
    for (const group of groups) {
      const change = changeOf(group, positions);
      if (change !== null) changes.set(group.error.id, change);
    }
    return changes;
  }

  /** Only errors that were resolved in the next release need the order of releases. */
  private async findPositions(
    rows: TransactionRows,
    groups: readonly GroupedEvents[],
  ): Promise<Positions> {
    const waiting = groups.filter(({ error }) => error.resolvedRelease !== null);
    const bases = waiting.map(({ error, projectId }) => ({
      projectId,
      version: error.resolvedRelease as string,
    }));
    const releases = [...bases, ...releasesOf(waiting.flatMap(({ items }) => items))];
    if (releases.length === 0) return new Map();
    const found = await this.releases.findPositions(rows, releases);
    return new Map(found.map(({ seenAs, ...release }) => [keyOf(release), seenAs]));
  }
}

function changeOf(group: GroupedEvents, positions: Positions): StatusChange | null {
  const { error, projectId, items } = group;
  if (error.status === ERROR_STATUS.ignored) return hasIgnoreEnded(group) ? 'ignore_ended' : null;
  if (error.status !== ERROR_STATUS.resolved) return null;
  // Events that were on their way when someone resolved it do not reopen an error.
  const { statusChangedAt } = error;
  const later = items.filter(
    ({ event }) => statusChangedAt === null || event.occurredAt > statusChangedAt,
  );
  if (error.resolvedRelease === null) return later.length > 0 ? 'regressed' : null;
  const seen = (version: string): SeenRelease => ({
    version,
    position: positions.get(keyOf({ projectId, version })) ?? null,
  });
  const base = seen(error.resolvedRelease);
  const regresses = later.some(
    ({ event }) => event.release !== null && isNewerRelease(seen(event.release), base),
  );
  return regresses ? 'regressed' : null;
}

function hasIgnoreEnded(group: GroupedEvents): boolean {
  const { ignoredUntil, ignoredUntilCount, eventsCount } = group.error;
  const count = eventsCount + group.items.length;
  if (ignoredUntilCount !== null && count >= ignoredUntilCount) return true;
  return ignoredUntil !== null && newestOf(group).event.receivedAt >= ignoredUntil;
}

/** Returns the distinct releases of events. */
function releasesOf(items: readonly IngestItem[]): ProjectRelease[] {
  const releases = new Map<string, ProjectRelease>();
  for (const { source, event } of items) {
    if (event.release === null) continue;
    const release = { projectId: source.projectId, version: event.release };
    releases.set(keyOf(release), release);
  }
  return [...releases.values()];
}

function keyOf({ projectId, version }: ProjectRelease): string {
  return `${projectId} ${version}`;
}
