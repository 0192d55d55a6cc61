import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { appliedCommands } from './applied-commands.js';
import { headBranch, listFiles, resolveCommit, setHeadBranch } from './git-repository.js';
import type { RefCommand } from './inflight-write.entity.js';
import { BRANCH_PREFIX, isZeroOid } from './reference-name.js';
import { RefUpdateListeners, type RecordedWrite } from './ref-update-listeners.service.js';

/** Branches that become the default in preference to others of the same first push. */
const USUAL_DEFAULTS = ['main', 'master'];

/** Puts accepted ref updates on record, exactly once, with what follows from them. */
@Injectable()
export class PushRecorder {
  constructor(
    private readonly dataSource: DataSource,
    private readonly listeners: RefUpdateListeners,
  ) {}

  /** Repeating it for the same write changes nothing more. */
  async record(write: RecordedWrite, updates: readonly RefCommand[]): Promise<void> {
    if (updates.length === 0) return;
    const branches = updates
      .filter(({ ref, newOid }) => ref.startsWith(BRANCH_PREFIX) && !isZeroOid(newOid))
      .map(({ ref }) => ref.slice(BRANCH_PREFIX.length));
    const head = await adoptFirstBranch(write.repositoryPath, branches);
    const reactions = await this.listeners.prepare(write, updates);
    await this.dataSource.transaction(async (tx) => {
      const recorded = await insertUpdates(tx, write, updates);
      if (write.kind === 'project') await touchProject(tx, write.containerId, head);
      if (write.kind === 'snippet') await touchSnippet(tx, write);
      if (recorded.length === 0) return;
      for (const react of reactions) await react(tx, recorded);
    });
  }

  /** Records of an ended write's commands what came into force, as far as can still be told. */
  async recordOutcome(write: RecordedWrite, commands: readonly RefCommand[]): Promise<void> {
    await this.record(write, await appliedCommands(this.dataSource.manager, write, commands));
  }
}

/**
 * Lets HEAD name a branch that exists: the first push may bring another one than the repository
 * was made for. Answers HEAD's branch when this push brought a branch, else null.
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

/** Answers those that were not on record yet. */
async function insertUpdates(
  tx: EntityManager,
  write: RecordedWrite,
  updates: readonly RefCommand[],
): Promise<RefCommand[]> {
  const inserted = await tx.query<{ ref: string }[]>(
    `INSERT INTO ref_updates
       (write_id, repository_kind, container_id, user_id, ref, old_oid, new_oid)
     SELECT $1, $2, $3, $4, u.ref, u.old_oid, u.new_oid
     FROM unnest($5::text[], $6::text[], $7::text[]) AS u (ref, old_oid, new_oid)
     ON CONFLICT (write_id, ref) DO NOTHING RETURNING ref`,
    [
      write.id,
      write.kind,
      write.containerId,
      write.userId,
      updates.map(({ ref }) => ref),
      updates.map(({ oldOid }) => oldOid),
      updates.map(({ newOid }) => newOid),
    ],
  );
  const refs = new Set(inserted.map(({ ref }) => ref));
  return updates.filter(({ ref }) => refs.has(ref));
}

async function touchProject(tx: EntityManager, id: number, head: string | null): Promise<void> {
  await tx.query(
    `UPDATE projects SET last_activity_at = now(), empty_repo = empty_repo AND $2::text IS NULL,
       default_branch = coalesce($2, default_branch)
     WHERE id = $1`,
    [id, head],
  );
}

/** Reads the files under the row's lock, so that of two writes the later one has the last word. */
async function touchSnippet(tx: EntityManager, write: RecordedWrite): Promise<void> {
  await tx.query('SELECT 1 FROM snippets WHERE id = $1 FOR UPDATE', [write.containerId]);
  const files = await snippetFiles(write.repositoryPath);
  await tx.query(
    `UPDATE snippets SET file_paths = $2, has_repository = true, updated_at = now() WHERE id = $1`,
    [write.containerId, files],
  );
}
