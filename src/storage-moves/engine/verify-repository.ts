import fs from 'node:fs';
import { type CopiedRepository, DEFAULT_LABELS } from './copy-repository.js';
import { guarded, guardedSync, type StorageLabels } from './copy-file.js';
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
import { rereadCopy, requireConnectivity, requireSoundPacks } from './copy-checks.js';
import type { Throttle } from './throttle.js';

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
 * Proves that the copy is whole and as good as its source, which is read again for it.
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

  constructor(private readonly context: VerifyContext) {
    this.storageLabels = context.options.storageLabels ?? DEFAULT_LABELS;
  }

  async run(): Promise<VerifiedRepository> {
    await failpoint('verify.before-reread');
    const { source } = this.context;
    const stamp = guardedSync(this.storageLabels.source, () => takeReferenceStamp(source));
    const references = isSmall(this.context.options.copied)
      ? await this.checkInMemory()
      : await this.checkOnDisk();
    await failpoint('verify.after-objects');
    const resolved = resolvedReferences(references);
    return { checksum: referenceChecksum(resolved), refCount: references.direct.size, stamp };
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
      guarded(this.storageLabels.source, () => readReferences(source)),
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

/**
 * Coarsest clock of a filesystem (FAT, old ext3). Within one tick a second change leaves no trace,
 * so a directory that has just changed is not believed to have stayed the same.
 */
const TICK_MS = 2_000;

/** Modification stamps of the files and folders of a repository's references. */
interface ReferenceStamp {
  identities: Map<string, string>;
  /** False when something changed too recently for its times to show a further change. */
  isReliable: boolean;
}

/**
 * Takes the stamp of a repository's references; must be taken BEFORE they are read.
 *
 * Git changes a reference, packed-refs and HEAD only by renaming a lock file over them
 * (gitrepository-layout(5), `<name>.lock`), and with that the times of their directory. So a few
 * directories show any push, however many references they contain.
 */
function takeReferenceStamp(repository: string): ReferenceStamp {
  const takenAt = Date.now();
  const stamp: ReferenceStamp = { identities: new Map(), isReliable: true };
  for (const path of [repository, ...referenceDirectories(repository)]) {
    const { identity, changedAt } = look(path);
    if (changedAt > takenAt - TICK_MS) stamp.isReliable = false;
    stamp.identities.set(path, identity);
  }
  return stamp;
}

/** True only when nothing can have written references since the stamp was taken. */
function isStampCurrent({ identities, isReliable }: ReferenceStamp): boolean {
  return (
    isReliable && [...identities].every(([path, identity]) => look(path).identity === identity)
  );
}

/** `refs` and everything below it; a directory that comes later changes the one it is in. */
function referenceDirectories(repository: string): string[] {
  const directories = [`${repository}/refs`];
  for (const directory of directories) {
    for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
      if (entry.isDirectory()) directories.push(`${directory}/${entry.name}`);
    }
  }
  return directories;
}

function look(path: string): { identity: string; changedAt: number } {
  const status = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  // Also for a name that is not UTF-8, whose status is unknown.
  if (status === undefined) return { identity: 'gone', changedAt: Infinity };
  const { dev, ino, mtimeNs, ctimeNs, ctimeMs } = status;
  return { identity: [dev, ino, mtimeNs, ctimeNs].join(' '), changedAt: Number(ctimeMs) };
}
