import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Activity } from '../../core/activity/activity.service.js';
import type { PushedRefs, PushAction, RefType } from '../../core/activity/event.entity.js';
import { EventsRepository } from '../../core/activity/events.repository.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { headBranch } from '../../git/git-repository.js';
import type { RefCommand } from '../../git/reference-updates.js';
import {
  type RecordedWrite,
  type RefUpdateListener,
  RefUpdateListeners,
  type UpdateReaction,
} from '../../git/push-recorder.service.js';
import { isZeroOid, BRANCH_PREFIX, TAG_PREFIX } from '../../git/reference-name.js';
import { type CommitRecord, NEWEST_COMMITS, newestCommits } from '../../git/reading/commits.js';
import { readGit, streamGit } from '../../git/reading/read-git.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import { UnavailableError } from '../../core/errors.js';
import { GitProcessError } from '../../git/git-process.js';

const MAX_CHARACTERS = 70;
const ELLIPSIS = '...';

/**
 * The first line of a message for push events: at most 70 characters, the dots of what was cut
 * included (reference, `push_data`). PostgreSQL takes no NUL.
 */
export function toCommitTitle(message: string): string {
  const text = message.replaceAll('\0', '').trimStart();
  const end = text.indexOf('\n');
  const characters = Array.from((end === -1 ? text : text.slice(0, end)).trim());
  if (characters.length <= MAX_CHARACTERS) return characters.join('');
  return characters.slice(0, MAX_CHARACTERS - ELLIPSIS.length).join('') + ELLIPSIS;
}

/** Of a message; its first line can be as long as its author likes. */
const READ_BYTES = 4_096;

/**
 * Returns the number of commits that an update added: those that its ref did not reach before or,
 * for a new branch, those that the default branch lacks (reference, push rules).
 */
async function countPushedCommits(
  repository: OpenRepository,
  { ref, oldOid, newOid }: RefCommand,
  defaultBranch: string | null,
): Promise<number> {
  if (!isZeroOid(oldOid)) return count(repository, [newOid, `^${oldOid}`]);
  if (!ref.startsWith(BRANCH_PREFIX)) return 1;
  const beside = defaultBranch === null ? null : `${BRANCH_PREFIX}${defaultBranch}`;
  if (beside === null || beside === ref) return count(repository, [newOid]);
  // The default branch may not exist yet, although HEAD names it.
  return count(repository, ['--ignore-missing', newOid, `^${beside}`]);
}

/** First line of a commit, or of the one a tag names; null when that is no commit. */
async function readCommitTitle(repository: OpenRepository, oid: string): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  await streamGit(repository, {
    args: ['log', '--max-count=1', '--format=%B', '--no-show-signature', oid, '--'],
    take: (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      return size < READ_BYTES;
    },
  });
  return size === 0 ? null : toCommitTitle(Buffer.concat(chunks).toString('utf8'));
}

/**
 * The newest commits that a branch gained; none of a new branch or a tag, and where git fails, which
 * is asked again and reported then.
 */
async function gainedCommits(
  repository: OpenRepository,
  { ref, oldOid: from, newOid: to }: RefCommand,
): Promise<CommitRecord[]> {
  if (!ref.startsWith(BRANCH_PREFIX) || isZeroOid(from)) return [];
  return newestCommits(repository, { from, to }).catch(() => []);
}

async function count(repository: OpenRepository, revisions: readonly string[]): Promise<number> {
  return Number(await readGit(repository, ['rev-list', '--count', ...revisions, '--']));
}

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
    const gained = await gainedCommits({ path }, update);
    const [first] = gained;
    const areAll = first !== undefined && gained.length < NEWEST_COMMITS;
    const count = async () => countPushedCommits({ path }, update, await headBranch(path));
    const title = () => readCommitTitle({ path }, update.newOid);
    return Promise.all([
      areAll ? gained.length : orUntold(count(), 0, report('Commits')),
      first ? toCommitTitle(first.message) : orUntold(title(), null, report('Title')),
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

/** Updates of one push that are alike; too many of them share one event. */
interface PushGroup {
  refType: RefType;
  action: PushAction;
  updates: RefCommand[];
}

/**
 * Groups branches and tags by what happened to them, in the order of the push; other refs leave no
 * events (reference, push rules).
 */
function groupUpdates(updates: readonly RefCommand[]): PushGroup[] {
  const groups = new Map<string, PushGroup>();
  for (const update of updates) {
    const refType = refTypeOf(update.ref);
    if (refType === null) continue;
    const action = actionOf(update);
    const key = `${refType} ${action}`;
    const group = groups.get(key) ?? { refType, action, updates: [] };
    group.updates.push(update);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** A ref without `refs/heads/` or `refs/tags/`. */
function shortName(ref: string): string {
  const prefix = refTypeOf(ref) === 'tag' ? TAG_PREFIX : BRANCH_PREFIX;
  return ref.slice(prefix.length);
}

function refTypeOf(ref: string): RefType | null {
  if (ref.startsWith(BRANCH_PREFIX)) return 'branch';
  return ref.startsWith(TAG_PREFIX) ? 'tag' : null;
}

function actionOf({ oldOid, newOid }: RefCommand): PushAction {
  if (isZeroOid(newOid)) return 'removed';
  return isZeroOid(oldOid) ? 'created' : 'pushed';
}

/**
 * Returns the answer of git, or `untold`, and logs it, when git fails or takes too long: pushes are
 * recorded in any case.
 */
export async function orUntold<T, U>(
  answer: Promise<T>,
  untold: U,
  report: (problem: unknown) => void,
): Promise<T | U> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof GitProcessError) && !(error instanceof UnavailableError)) throw error;
    report(error);
    return untold;
  }
}
