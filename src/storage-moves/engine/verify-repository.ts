import { guarded, guardedSync, type StorageLabels, type Throttle } from './copy-file.js';
import { type CopiedRepository, DEFAULT_LABELS } from './copy-repository.js';
import { failpoint } from './failpoints.js';
import { MoveError } from './move-error.js';
import { UnusualRepositoryError } from './objects/loose-object.js';
import {
  checkSmallRepository,
  SMALL_REPOSITORY_BYTES,
  SMALL_REPOSITORY_OBJECTS,
} from './objects/check-small-repository.js';
import {
  findDifference,
  readReferences,
  referenceChecksum,
  type RepositoryReferences,
  resolvedReferences,
} from './repository-references.js';
import { isStampCurrent, type ReferenceStamp, takeReferenceStamp } from './reference-stamp.js';
import { rereadCopy, requireConnectivity, requireSoundPacks } from './copy-checks.js';

export interface VerifiedRepository {
  /** Checksum of the references, 40 hex digits. */
  checksum: string;
  refCount: number;
  /** Of the source, from before its references were read. */
  stamp: ReferenceStamp;
}

interface VerifyOptions {
  /** Source that the copy is compared to. */
  copied: CopiedRepository;
  /** `project`, `wiki`, `design` or `snippet`: how messages name the repository. */
  label: string;
  signal: AbortSignal;
  /** Throttle of the storage that holds the copy. */
  throttle?: Throttle;
  /** Packs of a repository up to this size are unpacked completely by git. */
  fullCheckBytes?: number;
  storageLabels?: StorageLabels;
}

/**
 * Above this, packs are proven by their own checksum and by connectivity only: unpacking
 * 78 MB takes git 0.9 s, three times as long as copying them, and finds in addition only
 * packs that were written wrong and signed as right.
 */
const DEFAULT_FULL_CHECK_BYTES = 16 * 1024 * 1024;

/**
 * Proves that the copy is whole and as good as its source, whose references are read again for it
 * unless their stamp shows that nothing has written any since.
 *
 * Checks every copied byte, all references of both sides, HEAD, every object's own checksum
 * and that no object is missing. Throws MoveError: "Failed to verify …" when the copy differs,
 * "Source repository is damaged: …" when the copy is faithful but the source is broken.
 */
export async function verifyRepository(
  source: string,
  copy: string,
  options: VerifyOptions,
): Promise<VerifiedRepository> {
  const verification = new Verification({ source, copy, options });
  return verification.run();
}

/**
 * A last look before the switch: have the source's references stayed as published? It costs next
 * to nothing while the stamp from their verification holds; else they are read once more.
 */
export async function sameReferences(
  source: string,
  copy: string,
  stamp?: ReferenceStamp,
): Promise<boolean> {
  if (stamp !== undefined && isStampCurrent(stamp)) return true;
  const [before, after] = await Promise.all([readReferences(source), readReferences(copy)]);
  return findDifference(before, after) === null;
}

interface VerifyContext {
  source: string;
  copy: string;
  options: VerifyOptions;
}

class Verification {
  private readonly storageLabels: StorageLabels;
  /** The references of the source; null = they have to be read. */
  private known: RepositoryReferences | null = null;

  constructor(private readonly context: VerifyContext) {
    this.storageLabels = context.options.storageLabels ?? DEFAULT_LABELS;
  }

  async run(): Promise<VerifiedRepository> {
    await failpoint('verify.before-reread');
    const stamp = guardedSync(this.storageLabels.source, () => this.stampSource());
    const references = isSmall(this.context.options.copied)
      ? await this.checkInMemory()
      : await this.checkOnDisk();
    await failpoint('verify.after-objects');
    const resolved = resolvedReferences(references);
    return { checksum: referenceChecksum(resolved), refCount: references.direct.size, stamp };
  }

  /** Takes the stamp from before the references were read for the copy as long as it holds. */
  private stampSource(): ReferenceStamp {
    const { source, options } = this.context;
    const { read } = options.copied;
    if (read === undefined || !isStampCurrent(read.stamp)) return takeReferenceStamp(source);
    this.known = read.references;
    return read.stamp;
  }

  private async checkInMemory(): Promise<RepositoryReferences> {
    const { signal } = this.context.options;
    const contents = new Map<string, Buffer>();
    await this.reread({ signal, contents });
    await failpoint('verify.after-reread');
    const references = await this.compareReferences();
    await failpoint('verify.after-references');
    try {
      await checkSmallRepository(contents, references, signal);
    } catch (error) {
      if (!(error instanceof UnusualRepositoryError)) throw error;
      // Once more for the loose objects, whose content git's check would not look at.
      await this.reread({ signal });
      await this.checkWithGit(signal);
    }
    return references;
  }

  /** Git looks for missing objects on one core while the bytes are compared on the other. */
  private async checkOnDisk(): Promise<RepositoryReferences> {
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.context.options.signal]);
    const whole = this.reread({ signal }).then(() => failpoint('verify.after-reread'));
    const compared = this.compareReferences();
    const settled = Promise.allSettled([whole, compared, this.checkWithGit(signal)]);
    // A copy that is not faithful makes every other finding meaningless.
    await whole.catch(() => stop.abort());
    // In this order: damage is the source's fault only when the copy is known to be faithful.
    for (const result of await settled) if (result.status === 'rejected') throw result.reason;
    await failpoint('verify.after-references');
    return compared;
  }

  private async reread(how: { signal: AbortSignal; contents?: Map<string, Buffer> }) {
    const { copy, options } = this.context;
    const { copied, label, throttle } = options;
    const reread = { copy, copied, label, throttle, ...how };
    await guarded(this.storageLabels.destination, () => rereadCopy(reread));
  }

  private async compareReferences(): Promise<RepositoryReferences> {
    const { source, copy, options } = this.context;
    const [before, after] = await Promise.all([
      this.known ?? guarded(this.storageLabels.source, () => readReferences(source)),
      guarded(this.storageLabels.destination, () => readReferences(copy)),
    ]);
    const difference = findDifference(before, after);
    if (difference === null) return after;
    const wanted = referenceChecksum(resolvedReferences(before));
    const found = referenceChecksum(resolvedReferences(after));
    const failed = `Failed to verify ${options.label} repository`;
    if (wanted !== found) throw new MoveError(`${failed} checksum from ${wanted} to ${found}`);
    // The checksum does not see all references, nor HEAD between equal branches.
    throw new MoveError(`${failed}: references differ, ${difference}`);
  }

  private async checkWithGit(signal: AbortSignal): Promise<void> {
    const { copy, options } = this.context;
    const { files, bytes } = options.copied.inventory;
    const indexes = files.filter((file) => file.phase === 'pack-index').map((file) => file.path);
    const isFull = bytes <= (options.fullCheckBytes ?? DEFAULT_FULL_CHECK_BYTES);
    await Promise.all([
      requireConnectivity(copy, signal),
      requireSoundPacks(copy, isFull ? indexes : [], signal),
    ]);
  }
}

function isSmall({ inventory, format }: CopiedRepository): boolean {
  if (format !== 'sha1') return false;
  const objects = inventory.files.filter((file) => file.phase === 'object').length;
  return inventory.bytes <= SMALL_REPOSITORY_BYTES && objects <= SMALL_REPOSITORY_OBJECTS;
}
