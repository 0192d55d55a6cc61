import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { NOTIFICATION_KINDS } from '../../core/activity/notifications.repository.js';
import { branchTips } from '../../git/reference-reader.js';
import { countCommits, listCommits, readCommit } from '../../git/reading/commits.js';
import {
  type OpenRepository,
  RepositoryReader,
} from '../../git/reading/repository-reader.service.js';
import { isObjectId } from '../../git/reference-name.js';
import type { EmailRow } from './email-facts.js';

/** Commits that a push brought. */
export interface PushedCommits {
  /** The newest of them. */
  shown: { id: string; title: string }[];
  /** All of them, but counted no further than MAX_COUNTED. */
  total: number;
}

/** Git data of an email's subject. */
export interface CommitFacts {
  /** Of the commit that it is about. */
  title: string | null;
  pushed: PushedCommits | null;
}

/** Commits listed in an email about a push. */
const MAX_SHOWN = 20;
export const MAX_COUNTED = 1_000;
/** Cached notifications: the emails of one are written in many batches. */
const MAX_KEPT = 50;

const NOTHING: CommitFacts = { title: null, pushed: null };

/** Reads the commits of emails from repositories. */
@Injectable()
export class CommitFactsReader {
  private readonly logger = new Logger(CommitFactsReader.name);
  private readonly recent = new LRUCache<number, CommitFacts>({ max: MAX_KEPT });

  constructor(private readonly repositories: RepositoryReader) {}

  /** Leaves out what cannot be read now: an email does not wait for a repository. */
  async read(row: EmailRow): Promise<CommitFacts> {
    if (row.pipeline === null && row.note?.sha == null && row.to === null) return NOTHING;
    const known = this.recent.get(row.id);
    if (known !== undefined) return known;
    try {
      const address = { kind: 'project', containerId: row.project.id } as const;
      const facts = await this.repositories.read(address, (open) => factsOf(open, row));
      this.recent.set(row.id, facts);
      return facts;
    } catch (error) {
      this.logger.warn(`The mails about notification ${row.id} name no commits: ${String(error)}`);
      return NOTHING;
    }
  }
}

async function factsOf(open: OpenRepository, row: EmailRow): Promise<CommitFacts> {
  const sha = row.pipeline?.sha ?? row.note?.sha ?? null;
  if (sha !== null) {
    const commit = isObjectId(sha) ? await readCommit(open, sha) : null;
    return { ...NOTHING, title: commit?.title ?? null };
  }
  return { ...NOTHING, pushed: await pushedCommits(open, row) };
}

/**
 * Returns the commits of the push: neither on the branch before nor merged from the target branch.
 */
async function pushedCommits(open: OpenRepository, row: EmailRow): Promise<PushedCommits | null> {
  const { from, to, mergeRequest, kind } = row;
  if (kind !== NOTIFICATION_KINDS.push_to_merge_request || mergeRequest === null) return null;
  if (from === null || to === null || !isObjectId(from) || !isObjectId(to)) return null;
  const target = (await branchTips(open.path, [mergeRequest.targetBranch])).get(
    mergeRequest.targetBranch,
  );
  const exclude = [from, ...(target === undefined ? [] : [target])];
  const [commits, total] = await Promise.all([
    listCommits(open, { revision: to, exclude, skip: 0, limit: MAX_SHOWN }),
    countCommits(open, { include: [to], exclude }, MAX_COUNTED),
  ]);
  return { shown: commits.map(({ id, title }) => ({ id, title })), total };
}
