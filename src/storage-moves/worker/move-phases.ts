import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../config/env.js';
import type { AbandonedWrites } from '../../git/abandoned-writes.service.js';
import type { InflightWritesRepository } from '../../git/inflight-writes.repository.js';
import { containerRepositoryKinds, repositoryKey } from '../../git/repository-path.js';
import type { RepositoryTrashRepository } from '../../git/repository-trash.repository.js';
import type { StorageRegistry } from '../../git/storage-registry.js';
import { copyRepository, type CopiedRepository } from '../engine/copy-repository.js';
import { assertSpace, TEMPORARY_DIRECTORY } from '../engine/storage-root.js';
import type { Failpoint } from '../engine/failpoints.js';
import { statusOf } from '../engine/file-io.js';
import { MoveError } from '../engine/move-error.js';
import { removeMarker } from '../engine/move-marker.js';
import { publishRepository } from '../engine/publish-repository.js';
import { inventoryRepository, type RepositoryInventory } from '../engine/repository-inventory.js';
import {
  sameReferences,
  verifyRepository,
  type VerifiedRepository,
} from '../engine/verify-repository.js';
import { repositoryNoun, type ActiveMove, type LeasedMove } from './active-move.js';
import type { ActiveMoves } from './active-moves.service.js';
import {
  discardSources,
  isSameFilesystem,
  possibleRepositories,
  removeLeftovers,
  type RepositoryToMove,
} from './move-repositories.js';

/** The services that the phases of a move work with. */
export interface MoveServices {
  readonly storages: StorageRegistry;
  readonly writes: InflightWritesRepository;
  readonly abandonedWrites: AbandonedWrites;
  readonly trash: RepositoryTrashRepository;
  readonly active: ActiveMoves;
  readonly config: Config;
  readonly failpoint: Failpoint;
}

/** A repository and its files. */
interface ListedRepository {
  repository: RepositoryToMove;
  inventory: RepositoryInventory;
}

/** A copy that was not compared with its source yet. */
interface UnverifiedCopy {
  repository: RepositoryToMove;
  temporary: string;
  copied: CopiedRepository;
}

/** A copy that was proved equal to its source. */
export interface VerifiedCopy extends VerifiedRepository {
  repository: RepositoryToMove;
  temporary: string;
}

const DRAIN_POLL_MS = 250;

/**
 * Checks both storages and removes what an earlier attempt has left. Returns whether source and
 * destination are one directory. Throws MoveError when a storage is not there.
 */
export async function preflight(services: MoveServices, move: ActiveMove): Promise<boolean> {
  const isSame = await isSameFilesystem(services.storages, move.lease);
  await services.failpoint('attempt.before-leftovers');
  if (move.lease.attempt > 1) await removeLeftovers(services.storages, move);
  await services.failpoint('attempt.after-leftovers');
  return isSame;
}

/**
 * Waits until nothing writes to the repositories, which are read-only by now. Throws MoveError with
 * the repository that was still being written to when time was up.
 */
export async function drain(services: MoveServices, move: ActiveMove): Promise<void> {
  move.phase = 'draining';
  if (!move.lease.isDrained) await writesEnd(services, move);
  await services.failpoint('attempt.after-drain');
}

async function writesEnd(
  { writes, abandonedWrites, config }: MoveServices,
  move: ActiveMove,
): Promise<void> {
  const { kind, containerId } = move.lease;
  const keys = containerRepositoryKinds[kind].map((each) => repositoryKey(each, containerId));
  const deadline = performance.now() + config.moveDrainSeconds * 1000;
  for (;;) {
    move.assertHeld();
    const running = await writes.listRunning(keys);
    const [first] = running;
    if (first === undefined) return;
    if (performance.now() >= deadline) {
      throw new MoveError(`Timeout waiting for ${repositoryNoun(first.kind)} repository pushes`);
    }
    // The writing process is dead, but its receive-pack can still be alive.
    if (running.some(({ isDead }) => isDead)) await abandonedWrites.recover();
    await delay(DRAIN_POLL_MS, undefined, { signal: move.signal });
  }
}

/** Lists the repositories and checks the space of the destination. Throws MoveError. */
export async function reserveSpace(
  services: MoveServices,
  move: ActiveMove,
  repositories: readonly RepositoryToMove[],
): Promise<ListedRepository[]> {
  const { destination } = move.lease;
  const listed: ListedRepository[] = [];
  for (const repository of repositories) {
    listed.push({ repository, inventory: await inventoryRepository(repository.source) });
  }
  move.bytesTotal += listed.reduce((sum, { inventory }) => sum + inventory.bytes, 0);
  await assertSpace({
    storage: destination,
    root: services.storages.get(destination).root,
    bytesNeeded: move.bytesTotal,
    filesNeeded: listed.reduce((sum, { inventory }) => sum + inventory.files.length, 0),
    bytesReservedByOthers: services.active.bytesMissingOn(destination, move),
  });
  await services.active.throttles.refresh();
  await services.failpoint('attempt.after-space');
  return listed;
}

/** Copies a repository into the temporary directory of the destination. */
export async function copy(
  { storages, active, failpoint }: MoveServices,
  move: ActiveMove,
  { repository, inventory }: ListedRepository,
): Promise<UnverifiedCopy> {
  const { lease, signal } = move;
  const root = storages.get(lease.destination).root;
  const temporary = join(root, TEMPORARY_DIRECTORY, move.temporaryName(repository.kind));
  move.copyBegins();
  move.assertHeld();
  const copied = await copyRepository(repository.source, temporary, {
    signal,
    storageLabels: storageLabels(lease),
    inventory,
    onProgress: (bytes) => move.copiedOf(repository.kind, bytes),
    throttles: [active.throttles.get(lease.source), active.throttles.get(lease.destination)],
  });
  await failpoint('repository.after-copy');
  move.copyEnds();
  return { repository, temporary, copied };
}

/** Proves that a copy equals its source. Throws MoveError for a damaged source or copy. */
export async function verify(
  { active, failpoint }: MoveServices,
  { lease, signal }: ActiveMove,
  { repository, temporary, copied }: UnverifiedCopy,
): Promise<VerifiedCopy> {
  const verified = await verifyRepository(repository.source, temporary, {
    copied,
    label: repositoryNoun(repository.kind),
    signal,
    storageLabels: storageLabels(lease),
    throttle: active.throttles.get(lease.destination),
  });
  await failpoint('repository.after-verify');
  return { repository, temporary, ...verified };
}

/** Gives the copies their names, only after all of them were verified. */
export async function publish(
  { storages, trash, failpoint }: MoveServices,
  move: ActiveMove,
  copies: readonly VerifiedCopy[],
): Promise<void> {
  const { lease } = move;
  move.phase = 'publishing';
  for (const { repository, temporary, checksum } of copies) {
    move.assertHeld();
    const published = await publishRepository({
      temporary,
      target: repository.target,
      storageRoot: storages.get(lease.destination).root,
      marker: { move: move.label, attempt: lease.attempt, checksum },
      storageLabel: storageLabels(lease).destination,
      confirm: () => move.assertHeld(),
    });
    if (published.trashed !== null) {
      await trash.add(lease.destination, published.trashed, 'unexpected destination');
    }
    await failpoint('repository.after-publish');
  }
}

/** Last look before the switch. Throws MoveError when a write has reached a read-only source. */
export async function assertUnchanged(copies: readonly VerifiedCopy[]): Promise<void> {
  for (const { repository, stamp } of copies) {
    const { kind, source, target } = repository;
    if (await sameReferences(source, target, stamp)) continue;
    throw new MoveError(`The ${repositoryNoun(kind)} repository has changed during the move`, {
      transient: true,
    });
  }
}

/**
 * Takes the source's repositories out of the live path after the switch and returns their paths in
 * the trash. Can be repeated after a crash at any moment. Throws MoveError when the source resists.
 */
export async function cleanUp(
  { storages, failpoint }: MoveServices,
  move: ActiveMove,
): Promise<string[]> {
  const { lease } = move;
  const repositories = possibleRepositories(storages, lease);
  for (const { target } of repositories) await forgetMarker(target);
  await failpoint('clean-up.before-trash');
  move.assertHeld();
  const trashed = (await isSameFilesystem(storages, lease))
    ? []
    : await discardSources(storages, lease, repositories);
  await failpoint('clean-up.after-trash');
  return trashed;
}

/** The published copy is the container's repository now, no longer a copy that may be withdrawn. */
async function forgetMarker(target: string): Promise<void> {
  try {
    if (statusOf(target) === null) return;
  } catch (error) {
    throw new MoveError('Destination cannot be read', { cause: error });
  }
  await removeMarker(target);
}

function storageLabels({ source, destination }: LeasedMove): {
  source: string;
  destination: string;
} {
  return { source: `Storage ${source}`, destination: `Storage ${destination}` };
}
