import { access, constants } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { bareRepositoryExists, createBareRepository } from '../../git/git-repository.js';
import { ContainersRepository } from '../../git/containers.repository.js';
import { containerKindOf } from '../../git/repository-path.js';
import { onStorage, StorageRegistry } from '../../git/storage-registry.js';
import { WriteLeaseService } from '../../git/write-lease.service.js';
import { GitHttpError, unavailable } from './git-http-error.js';
import type { GitTarget } from './git-targets.service.js';

const WIKI_KINDS: ReadonlySet<string> = new Set(['wiki', 'group-wiki']);
const WIKI_BRANCH = 'main';

/** Finds repositories on disk. */
@Injectable()
export class RepositoryOpener {
  constructor(
    private readonly storages: StorageRegistry,
    private readonly leases: WriteLeaseService,
    private readonly containers: ContainersRepository,
  ) {}

  /**
   * Returns the repository's path. Throws 404 when there is none and 503 when it is missing or its
   * storage is unavailable.
   */
  async open(target: GitTarget): Promise<string> {
    const path = await this.find(target);
    if (path !== null) return path;
    await this.containers.assertNotLost(target);
    throw new GitHttpError(404, 'A repository for this project does not exist yet.');
  }

  /**
   * As `open`, for someone who begins a push; `assertWritable` refuses it for what is known before.
   * A wiki comes into being with the first push to it.
   */
  async openForPush(
    target: GitTarget,
    userId: number,
    assertWritable: () => void,
  ): Promise<string> {
    const isWiki = WIKI_KINDS.has(target.kind);
    const path = isWiki ? await this.find(target) : await this.open(target);
    assertWritable();
    if (path !== null) {
      // Git itself would fail midway, with an error that the client never receives.
      await onStorage(target.storage, () => access(path, constants.W_OK));
      return path;
    }
    return this.leases.run({ ...target, userId }, async ({ storage }) => {
      const wiki = this.storages.absolutePath({ ...target, storage });
      const { root: storageRoot } = this.storages.get(storage);
      await onStorage(storage, () =>
        createUnlessThere({ storageRoot, path: wiki, defaultBranch: WIKI_BRANCH }),
      );
      return wiki;
    });
  }

  private async find(target: GitTarget): Promise<string | null> {
    try {
      for (let { storage } = target; ;) {
        const path = this.storages.absolutePath({ ...target, storage });
        if (await bareRepositoryExists(path)) return path;
        // A storage that is not mounted looks like one without repositories.
        await this.storages.filesystemId(storage);
        const current = await this.storageOf(target);
        if (current === null || current === storage) return null;
        // It has moved since the request was let in.
        storage = current;
      }
    } catch (error) {
      throw Object.assign(
        unavailable('The storage of this repository is not available. Please try again later.'),
        { cause: error },
      );
    }
  }

  private async storageOf({ kind, containerId }: GitTarget): Promise<string | null> {
    const state = await this.containers.findState(containerKindOf(kind), containerId);
    return state?.storage ?? null;
  }
}

async function createUnlessThere(
  repository: Parameters<typeof createBareRepository>[0],
): Promise<void> {
  try {
    await createBareRepository(repository);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
