/** Every point in the engine where a fault test can kill, stop or fail the process. */
const ENGINE_FAILPOINTS = [
  'copy.before-inventory',
  'copy.after-inventory',
  'copy.after-directories',
  'copy.after-object',
  'copy.after-pack',
  'copy.after-pack-index',
  'copy.after-other',
  'copy.after-ref',
  'copy.after-head',
  'verify.before-reread',
  'verify.after-reread',
  'verify.after-references',
  'verify.after-objects',
  'publish.before-marker',
  'publish.after-marker',
  'publish.after-lock',
  'publish.before-rename',
  'publish.after-rename',
  'publish.after-sync',
  'withdraw.before-rename',
  'withdraw.after-rename',
  'marker.before-remove',
  'marker.after-remove',
  'trash.before-rename',
  'trash.after-rename',
  'trash.after-sync',
  'trash.before-delete',
  'trash.after-delete',
] as const;

interface FailpointSettings {
  /** `name` or `name:count`: the count-th passage of that name is hit. */
  point: string | undefined;
  /** `kill` (default), `pause` (SIGSTOP; continue with SIGCONT) or `throw:<code>`. */
  action: string | undefined;
}

/** Builds the check for one setting; separate from the environment for the sake of its tests. */
export function createFailpoint(settings: FailpointSettings): (name: string) => Promise<void> {
  if (!settings.point) return () => Promise.resolve();
  const [wanted, count] = settings.point.split(':');
  let left = Number(count ?? 1);
  return async (name) => {
    if (name !== wanted) return;
    left -= 1;
    if (left === 0) await strike(name, settings.action ?? 'kill');
  };
}

async function strike(name: string, action: string): Promise<void> {
  if (action.startsWith('throw:')) {
    const code = action.slice('throw:'.length);
    throw Object.assign(new Error(`${code}: failpoint ${name}`), { code });
  }
  process.kill(process.pid, action === 'pause' ? 'SIGSTOP' : 'SIGKILL');
  // The signal is delivered asynchronously; nothing may run in between.
  await new Promise((resolve) => setTimeout(resolve, 100));
}

/**
 * Does nothing unless GUILDHALL_FAILPOINT names this point
 * (action in GUILDHALL_FAILPOINT_ACTION); both are read once, at start-up.
 */
export const failpoint = createFailpoint({
  point: process.env.GUILDHALL_FAILPOINT,
  action: process.env.GUILDHALL_FAILPOINT_ACTION,
});

/** Every boundary between the database and the disks where a fault test can stop a worker. */
const MOVE_FAILPOINTS = [
  'schedule.before-commit',
  'schedule.after-commit',
  'lease.before-commit',
  'lease.after-commit',
  'attempt.before-leftovers',
  'attempt.after-leftovers',
  'attempt.after-drain',
  'attempt.after-space',
  'repository.after-copy',
  'repository.after-verify',
  'repository.after-publish',
  'switch.before',
  'switch.after',
  'clean-up.before-trash',
  'clean-up.after-trash',
  'clean-up.after-finish',
  'failure.before-removal',
  'failure.after-removal',
  'failure.after-write',
  'janitor.after-lease',
  'janitor.after-delete',
] as const;
export type MoveFailpoint = (typeof MOVE_FAILPOINTS)[number];

/** All names that GUILDHALL_FAILPOINT can have. */
export const ALL_FAILPOINTS: readonly string[] = [...MOVE_FAILPOINTS, ...ENGINE_FAILPOINTS];

/** Passes a failpoint of a move. */
export type Failpoint = (name: MoveFailpoint) => Promise<void>;
