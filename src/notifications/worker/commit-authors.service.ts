import { Injectable, Logger } from '@nestjs/common';
import { readCommit } from '../../git/reading/commits.js';
import { RepositoryReader } from '../../git/reading/repository-reader.service.js';

/** Authors of commits, as recorded in Git. */
@Injectable()
export class CommitAuthors {
  private readonly logger = new Logger(CommitAuthors.name);

  constructor(private readonly repositories: RepositoryReader) {}

  /** The author's address; null when it cannot be read: mails do not wait for a repository. */
  async addressOf(projectId: number, sha: string): Promise<string | null> {
    const address = { kind: 'project', containerId: projectId } as const;
    try {
      const commit = await this.repositories.read(address, (open) => readCommit(open, sha));
      return commit?.authorEmail ?? null;
    } catch (error) {
      this.logger.warn(`The author of ${sha} in project ${projectId} is unknown: ${String(error)}`);
      return null;
    }
  }
}
