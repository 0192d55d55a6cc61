import { randomBytes } from 'node:crypto';
import type { RepositoryKind } from '../../git/repository-path.js';
import type { MoveKind, MovePhase } from '../move-kinds.js';
import { processCounter, processHistogram } from '../../core/metrics/metrics-registry.js';
import type { MoveOutcome } from './repository-move.service.js';

const copiedBytes = processCounter({
  name: 'guildhall_storage_move_copied_bytes_total',
  help: 'Bytes that storage moves copied, including attempts that failed later',
});

const phaseDurations = processHistogram({
  name: 'guildhall_storage_move_phase_duration_seconds',
  help: 'Durations of the phases of storage moves',
  labelNames: ['phase'],
  buckets: [0.01, 0.1, 0.5, 1, 5, 30, 120, 600, 3_600],
});

const attempts = processCounter({
  name: 'guildhall_storage_move_attempts_total',
  help: 'Attempts of storage moves by outcome: finished, failed, retried, or stopped without a failure',
  labelNames: ['kind', 'outcome'],
});

/** A move that this worker holds the lease of, as it was when it was claimed. */
export interface LeasedMove {
  kind: MoveKind;
  id: number;
  containerId: number;
  /** `replicated`: an earlier attempt has switched, only its clean-up is missing. */
  state: 'started' | 'replicated';
  attempt: number;
  retries: number;
  source: string;
  destination: string;
  cancelledBy: string | null;
  /** The container's main repository must be on disk. */
  hasRepository: boolean;
  /** No write to the container's repositories was under way after it became read-only. */
  isDrained: boolean;
}

/** Name of the move in markers, temporary names and the trash: `project-12`. */
export function moveLabel({ kind, id }: Pick<LeasedMove, 'kind' | 'id'>): string {
  return `${kind}-${id}`;
}

const REPOSITORY_NOUNS: Record<RepositoryKind, string> = {
  project: 'project',
  wiki: 'wiki',
  design: 'design',
  snippet: 'snippet',
  'group-wiki': 'wiki',
};

/** Returns the name of a repository in messages: `Timeout waiting for wiki repository pushes`. */
export function repositoryNoun(kind: RepositoryKind): string {
  return REPOSITORY_NOUNS[kind];
}

/** Why a move was stopped from outside. */
export class CancelledError extends Error {
  constructor(readonly cancelledBy: string) {
    super(`Cancelled by ${cancelledBy}`);
  }
}

/** Thrown when another worker has taken over the move, which this one must not update. */
export class LeaseLostError extends Error {}

/** This worker stops: the move is handed back and restarted by another. */
export class ShuttingDownError extends Error {}

/** The connection was lost over the switch: it can be done, or even still be on its way. */
export class SwitchUnknownError extends Error {
  constructor(cause: unknown) {
    super('The outcome of the switch is not known', { cause });
  }
}

/** Duration of a lease after its last renewal, by the database's clock. */
export const LEASE_SECONDS = 30;
/** Nothing irrevocable begins in the last seconds of a lease. */
const SAFETY_MS = 5_000;

/** A move in this worker's hands: its lease, its progress, and the signal that stops it. */
export class ActiveMove {
  bytesTotal = 0;
  readonly startedAt = performance.now();
  /** Called with the progress every second, in percent. */
  onProgress: ((percent: number) => void) | null = null;
  private readonly controller = new AbortController();
  private readonly copied = new Map<string, number>();
  private readonly copyRate = new CopyRate();
  private leaseUntil: number;
  private rate: number | null = null;
  private current: MovePhase;
  private phaseSince = performance.now();

  constructor(
    readonly lease: LeasedMove,
    /** `performance.now()` before the lease was sent; the lease began later than that. */
    leasedAt: number,
  ) {
    this.current = lease.state === 'started' ? 'preflight' : 'cleaning';
    this.leaseUntil = leasedAt + LEASE_SECONDS * 1000;
  }

  get phase(): MovePhase {
    return this.current;
  }

  set phase(next: MovePhase) {
    this.measurePhase();
    this.current = next;
  }

  /** Records how long the current phase took until now. */
  measurePhase(): void {
    const now = performance.now();
    phaseDurations.observe({ phase: this.current }, (now - this.phaseSince) / 1000);
    this.phaseSince = now;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get label(): string {
    return moveLabel(this.lease);
  }

  get bytesCopied(): number {
    return [...this.copied.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Start of the names of this attempt's temporary directories. */
  get temporaryPrefix(): string {
    return `${this.label}-${this.lease.attempt}-`;
  }

  /** A new name for a temporary directory of this attempt. */
  temporaryName(repository: string): string {
    return `${this.temporaryPrefix}${randomBytes(4).toString('hex')}-${repository}`;
  }

  /** Returns the copy's recent or final rate in bytes per second; null before it starts. */
  measureRate(): number | null {
    if (this.phase === 'copying') this.rate = this.copyRate.measure(this.bytesCopied);
    return this.rate;
  }

  copyBegins(): void {
    this.phase = 'copying';
    this.copyRate.begin(this.bytesCopied);
  }

  copyEnds(): void {
    this.measureRate();
    this.phase = 'verifying';
  }

  copiedOf(repository: string, bytes: number): void {
    copiedBytes.inc(Math.max(0, bytes - (this.copied.get(repository) ?? 0)));
    this.copied.set(repository, bytes);
  }

  renewed(renewedAt: number): void {
    this.leaseUntil = renewedAt + LEASE_SECONDS * 1000;
  }

  stop(reason: Error): void {
    this.controller.abort(reason);
  }

  /**
   * Throws the reason once the move was stopped, or once its lease may have run out: a process
   * that was suspended notices by its own clock before it touches anything again.
   */
  assertHeld(): void {
    if (performance.now() > this.leaseUntil - SAFETY_MS) this.stop(new LeaseLostError());
    this.signal.throwIfAborted();
  }
}

const WINDOW_MS = 10_000;

interface Sample {
  at: number;
  bytes: number;
}

/** Measures a copy's rate over ten seconds, so that estimates follow a changed limit. */
export class CopyRate {
  private samples: Sample[] = [];

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Resets the measurement; earlier bytes, such as those of a verification, do not count. */
  begin(bytes: number): void {
    this.samples = [{ at: this.now(), bytes }];
  }

  /** Returns bytes per second after a total of `bytes`. */
  measure(bytes: number): number {
    const at = this.now();
    this.samples.push({ at, bytes });
    // Keeps the newest sample outside the window as the start of the measurement.
    while ((this.samples[1]?.at ?? at) < at - WINDOW_MS) this.samples.shift();
    const [first = { at, bytes }] = this.samples;
    return Math.round(((bytes - first.bytes) * 1000) / Math.max(at - first.at, 1));
  }
}

/**
 * Records the end of an attempt and returns its outcome; null for one that was cancelled, handed back
 * or lost its lease.
 */
export function recordEnd(
  move: ActiveMove,
  end: 'finished' | MoveOutcome | null,
): MoveOutcome | null {
  move.measurePhase();
  attempts.inc({ kind: move.lease.kind, outcome: outcomeOf(end) });
  return end === 'finished' ? null : end;
}

function outcomeOf(end: 'finished' | MoveOutcome | null): string {
  if (end === 'finished') return end;
  if (end === null) return 'stopped';
  return end.retryAfter === undefined ? 'failed' : 'retried';
}
