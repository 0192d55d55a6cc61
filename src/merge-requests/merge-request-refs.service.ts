import { Injectable, Logger } from '@nestjs/common';
import { referenceTips } from '../git/branch-tips.js';
import type { RefCommand } from '../git/inflight-write.entity.js';
import { updateReferences } from '../git/reference-updates.js';
import { RepositoryWriter } from '../git/repository-writer.service.js';
import { RepositoryReadOnlyError } from '../git/write-lease.service.js';

/** A merge request's number and the commit that has to stay. */
export interface Head {
  iid: number;
  headSha: string;
}

const PREFIX = 'refs/merge-requests/';
const NOTHING = '0'.repeat(40);

/** The ref that keeps the commits of a merge request, whatever becomes of its source branch. */
export function headReference(iid: number): string {
  return `${PREFIX}${iid}/head`;
}

/** Number of the merge request whose commits a ref keeps; null for any other ref. */
export function numberOfHead(ref: string): number | null {
  const [, iid] = /^refs\/merge-requests\/(\d{1,15})\/head$/.exec(ref) ?? [];
  return iid === undefined ? null : Number(iid);
}

/** The command that brings the ref to this commit, also when it is there already. */
export async function headCommand(
  repository: string,
  { iid, headSha: newOid }: Head,
): Promise<RefCommand> {
  const ref = headReference(iid);
  const oldOid = (await referenceTips(repository, [ref])).get(ref) ?? NOTHING;
  return { ref, oldOid, newOid };
}

/** Sets the refs of merge requests, without a record: only while someone holds a write lease. */
export async function setHeads(repository: string, heads: readonly Head[]): Promise<void> {
  const commands = await Promise.all(heads.map((head) => headCommand(repository, head)));
  const moved = commands.filter(({ oldOid, newOid }) => oldOid !== newOid);
  await updateReferences(repository, moved);
}

/** Keeps the commits of merge requests by refs of their own. */
@Injectable()
export class MergeRequestRefs {
  private readonly logger = new Logger(MergeRequestRefs.name);

  constructor(private readonly writer: RepositoryWriter) {}

  /**
   * Sets the ref of a merge request that is on record. When it cannot be set, as during a move, the
   * next push of its source branch or the merge does it.
   */
  async keep(
    { projectId, userId }: { projectId: number; userId: number },
    head: Head,
  ): Promise<void> {
    const request = { kind: 'project', containerId: projectId, userId } as const;
    try {
      await this.writer.write(request, async ({ path }) => {
        await setHeads(path, [head]);
        return [];
      });
    } catch (error) {
      if (error instanceof RepositoryReadOnlyError) return;
      this.logger.warn(`${headReference(head.iid)} of project ${projectId}: ${String(error)}`);
    }
  }
}
