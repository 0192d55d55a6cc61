import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Viewer } from '../core/access/auth-context.js';
import { ContainersRepository } from './containers.repository.js';
import {
  headBranch,
  listFiles,
  listReferences,
  resolveCommit,
  setHeadBranch,
} from './git-repository.js';
import type { RefCommand } from './reference-updates.js';
import { BRANCH_PREFIX, isZeroOid } from './reference-name.js';
import { RefUpdatesRepository, type IdentifiedWrite } from './ref-updates.repository.js';

/** A write whose updates are known. */
export interface RecordedWrite extends IdentifiedWrite {
  repositoryPath: string;
}

/** Handles updates in the transaction that records the updates `recorded`. */
export type UpdateReaction = (tx: EntityManager, recorded: readonly RefCommand[]) => Promise<void>;

export interface RefUpdateListener {
  /**
   * Reads what it needs of the repository, before the transaction; null when nothing follows. Some
   * of the updates can be on record already; the reaction gets only those that were not.
   */
  prepare(write: RecordedWrite, updates: readonly RefCommand[]): Promise<UpdateReaction | null>;
}

/** Notifies features above of pushes, commits and merges. */
@Injectable()
export class RefUpdateListeners {
  private readonly listeners: RefUpdateListener[] = [];

  /** In web processes and workers alike: the worker records what a dead process left. */
  add(listener: RefUpdateListener): void {
    this.listeners.push(listener);
  }

  /** The reactions of all listeners, in the order in which these were added. */
  async prepare(
    write: RecordedWrite,
    updates: readonly RefCommand[],
  ): Promise<readonly UpdateReaction[]> {
    const reactions = await Promise.all(
      this.listeners.map((listener) => listener.prepare(write, updates)),
    );
    return reactions.filter((reaction) => reaction !== null);
  }
}

/** A recorded push to a project with options (`git push -o`). */
export interface PushWithOptions {
  projectId: number;
  viewer: Viewer;
  ip: string | null;
  userAgent: string;
  /** As sent by the client: `key` or `key=value`, including unknown keys. */
  options: readonly string[];
  updates: readonly RefCommand[];
}

export interface PushOptionsListener {
  /** Applies the options and returns lines for the client's terminal. */
  follow(push: PushWithOptions): Promise<readonly string[]>;
}

/** Dispatches push options to the features that handle them. */
@Injectable()
export class PushOptionsListeners {
  private readonly listeners: PushOptionsListener[] = [];

  add(listener: PushOptionsListener): void {
    this.listeners.push(listener);
  }

  /** Calls the listeners one after another, in registration order. */
  async follow(push: PushWithOptions): Promise<string[]> {
    const lines: string[] = [];
    for (const listener of this.listeners) lines.push(...(await listener.follow(push)));
    return lines;
  }
}

/** Branches that become the default in preference to others of the same first push. */
const USUAL_DEFAULTS = ['main', 'master'];

/** Puts accepted ref updates on record, exactly once, with what follows from them. */
@Injectable()
export class PushRecorder {
  constructor(
    private readonly dataSource: DataSource,
    private readonly listeners: RefUpdateListeners,
    private readonly updates: RefUpdatesRepository,
    private readonly containers: ContainersRepository,
  ) {}

  /** Repeating it for the same write changes nothing more. */
  async record(write: RecordedWrite, updates: readonly RefCommand[]): Promise<void> {
    if (updates.length === 0) return;
    const branches = updates
      .filter(({ ref, newOid }) => ref.startsWith(BRANCH_PREFIX) && !isZeroOid(newOid))
      .map(({ ref }) => ref.slice(BRANCH_PREFIX.length));
    const head = await adoptFirstBranch(write.repositoryPath, branches);
    const reactions = await this.listeners.prepare(write, updates);
    await this.dataSource.transaction(async (manager) => {
      const recorded = await this.updates.record(manager, write, updates);
      if (write.kind === 'project') {
        await this.containers.recordProjectPush(manager, write.containerId, head);
      }
      if (write.kind === 'snippet') await this.recordSnippetFiles(manager, write);
      if (recorded.length === 0) return;
      for (const react of reactions) await react(manager, recorded);
    });
  }

  /** Records which commands of an ended write came into force, as far as that can be determined. */
  async recordOutcome(write: RecordedWrite, commands: readonly RefCommand[]): Promise<void> {
    await this.record(write, await this.appliedCommands(write, commands));
  }

  /**
   * Returns the commands that came into force: their ref has the new value, or other writes went on
   * from there. Updates that another write recorded since this one began do not count.
   */
  private async appliedCommands(
    write: RecordedWrite,
    commands: readonly RefCommand[],
  ): Promise<RefCommand[]> {
    // Refs before records: what happens in between is then seen at least in one of them.
    const references = await listReferences(write.repositoryPath);
    const current = new Map(references.map(({ name, oid }) => [name, oid]));
    const later = await this.updates.listByOthers(write);
    return commands.filter(({ ref, oldOid, newOid }) => {
      const others = later.get(ref) ?? [];
      if (others.some((other) => other.oldOid === oldOid && other.newOid === newOid)) return false;
      const oid = current.get(ref);
      const isThere = isZeroOid(newOid) ? oid === undefined : oid === newOid;
      return isThere || others.some((other) => other.oldOid === newOid);
    });
  }

  /** Reads the files under the row's lock, so that of two writes the later one has the last word. */
  private async recordSnippetFiles(
    manager: EntityManager,
    { containerId, repositoryPath }: RecordedWrite,
  ): Promise<void> {
    await this.containers.lockSnippet(manager, containerId);
    const files = await snippetFiles(repositoryPath);
    await this.containers.recordSnippetFiles(manager, containerId, files);
  }
}

/**
 * Lets HEAD name a branch that exists: the first push can bring another one than the repository was
 * made for. Answers HEAD's branch when this push brought a branch, else null.
 */
async function adoptFirstBranch(path: string, branches: readonly string[]): Promise<string | null> {
  const [first] = branches;
  if (first === undefined) return null;
  const head = await headBranch(path);
  if (head !== null && branches.includes(head)) return head;
  const exists = head !== null && (await resolveCommit(path, `${BRANCH_PREFIX}${head}`)) !== null;
  if (exists) return head;
  const adopted = USUAL_DEFAULTS.find((name) => branches.includes(name)) ?? first;
  await setHeadBranch(path, adopted);
  return adopted;
}

async function snippetFiles(path: string): Promise<string[]> {
  const head = await resolveCommit(path, 'HEAD');
  if (head === null) return [];
  const files = await listFiles(path, head);
  return files.map((file) => file.path).sort();
}
