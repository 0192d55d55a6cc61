import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Activity } from '../../activity/activity.service.js';
import { EventsRepository } from '../../activity/events.repository.js';
import type { PushedRefs } from '../../activity/new-event.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { headBranch } from '../../git/git-repository.js';
import type { RefCommand } from '../../git/inflight-write.entity.js';
import { isZeroOid } from '../../git/reference-name.js';
import {
  type RecordedWrite,
  type RefUpdateListener,
  RefUpdateListeners,
  type UpdateReaction,
} from '../../git/ref-update-listeners.service.js';
import { orUntold } from './git-answers.js';
import { type PushGroup, groupUpdates, shortName } from './push-groups.js';
import { countPushedCommits, readCommitTitle } from './pushed-commits.js';

/** Event about some of a write's updates. */
interface PushEvent {
  refs: readonly string[];
  push: PushedRefs;
}

/** Pushes, commits over the API and merges leave events (API doc, Events; reference, push rules). */
@Injectable()
export class PushEvents implements RefUpdateListener, OnModuleInit {
  private readonly logger = new Logger(PushEvents.name);

  constructor(
    private readonly listeners: RefUpdateListeners,
    private readonly activity: Activity,
    private readonly events: EventsRepository,
    private readonly settings: InstanceSettings,
  ) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  /** Of projects' own repositories only; what the system does has no author and leaves nothing. */
  async prepare(
    write: RecordedWrite,
    updates: readonly RefCommand[],
  ): Promise<UpdateReaction | null> {
    const { kind, userId: authorId, containerId: projectId } = write;
    if (kind !== 'project' || authorId === null) return null;
    const events = await this.eventsOf(write, groupUpdates(updates));
    if (events.length === 0) return null;
    return async (tx, recorded) => {
      const refs = new Set(recorded.map(({ ref }) => ref));
      const fresh = events.filter((event) => event.refs.some((ref) => refs.has(ref)));
      if (fresh.length === 0 || !(await this.events.lockProject(tx, projectId))) return;
      const common = { projectId, authorId, action: 'pushed' } as const;
      await this.activity.record(
        tx,
        fresh.map(({ push }) => ({ ...common, push })),
      );
    };
  }

  private async eventsOf(write: RecordedWrite, groups: readonly PushGroup[]): Promise<PushEvent[]> {
    const { push_event_activities_limit: limit } = this.settings.values;
    const events: PushEvent[] = [];
    for (const group of groups) {
      if (group.updates.length > limit) events.push(bulkEvent(group));
      else for (const update of group.updates) events.push(await this.event(write, group, update));
    }
    return events;
  }

  private async event(
    write: RecordedWrite,
    { refType, action }: PushGroup,
    update: RefCommand,
  ): Promise<PushEvent> {
    const { ref, oldOid, newOid } = update;
    const [commitCount, commitTitle] =
      action === 'removed' ? ([0, null] as const) : await this.commitsOf(write, update);
    const push: PushedRefs = {
      action,
      refType,
      ref: shortName(ref),
      commitFrom: isZeroOid(oldOid) ? null : oldOid,
      commitTo: isZeroOid(newOid) ? null : newOid,
      commitCount,
      commitTitle,
      refCount: null,
    };
    return { refs: [ref], push };
  }

  /**
   * Returns count and title; 0 and null where git fails: the push must be recorded all the same.
   */
  private async commitsOf(
    write: RecordedWrite,
    update: RefCommand,
  ): Promise<readonly [number, string | null]> {
    const { repositoryPath: path } = write;
    const report = (what: string) => (problem: unknown) => {
      this.logger.warn(`${what} of ${update.ref} in write ${write.id}: ${String(problem)}`);
    };
    return Promise.all([
      orUntold(
        headBranch(path).then((head) => countPushedCommits({ path }, update, head)),
        0,
        report('Commits'),
      ),
      orUntold(readCommitTitle({ path }, update.newOid), null, report('Title')),
    ]);
  }
}

function bulkEvent({ refType, action, updates }: PushGroup): PushEvent {
  const nothing = { ref: null, commitFrom: null, commitTo: null, commitTitle: null };
  return {
    refs: updates.map(({ ref }) => ref),
    push: { refType, action, ...nothing, commitCount: 0, refCount: updates.length },
  };
}
