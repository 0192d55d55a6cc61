/**
 * The processes of a role on one machine that a supervisor runs (see supervisor.ts), as each of them
 * sees the group, and the signals that stop and restart them.
 */

/** Variable in which the supervisor passes a process its number and the size of the group: `2/4`. */
export const GROUP_VARIABLE = 'GUILDHALL_PROCESS';

/** Time for the other processes to respond; blocked and restarting ones are left out. */
const RESPONSE_MS = 1_000;

const [ownNumber, size = 1] = (process.env[GROUP_VARIABLE] ?? '').split('/').map(Number);

/** Number of this process within its group, from 1; null if it runs alone. */
export const processNumber: number | null = ownNumber || null;

/** Messages of a process to its supervisor. */
export type ProcessMessage =
  | { type: 'ready' }
  | { type: 'request'; id: number }
  | { type: 'response'; senderId: number; id: number; text: string };

/** Messages of the supervisor to a process: `retire` stops it after another one has taken over. */
export type SupervisorMessage =
  | { type: 'retire' }
  | { type: 'request'; senderId: number; id: number }
  | { type: 'response'; id: number; text: string };

/** Returns this process's share, rounded up, of a limit that protects the machine. */
export function shareOf(total: number): number {
  return Math.ceil(total / size);
}

/** Tells the supervisor that this process answers requests. */
export function reportReady(): void {
  send({ type: 'ready' });
}

/** Calls back when another process has taken over from this one. */
export function onRetirement(retire: () => void): void {
  onMessage(({ type }) => {
    if (type === 'retire') retire();
  });
}

/** Responds to requests of the other processes, which do without the response when it rejects. */
export function onGroupRequest(respond: () => Promise<string>): void {
  onMessage((message) => {
    if (message.type !== 'request') return;
    const { senderId, id } = message;
    respond().then(
      (text) => send({ type: 'response', senderId, id, text }),
      () => undefined,
    );
  });
}

let requests = 0;

/** Returns the responses of the other processes. */
export function requestGroup(): Promise<string[]> {
  if (processNumber === null) return Promise.resolve([]);
  const id = ++requests;
  const responses: string[] = [];
  return new Promise((resolve) => {
    const collect = (message: SupervisorMessage): void => {
      if (message.type !== 'response' || message.id !== id) return;
      responses.push(message.text);
      if (responses.length === size - 1) finish();
    };
    const finish = (): void => {
      clearTimeout(timer);
      process.off('message', collect);
      resolve(responses);
    };
    const timer = setTimeout(finish, RESPONSE_MS);
    onMessage(collect);
    send({ type: 'request', id });
  });
}

function onMessage(listener: (message: SupervisorMessage) => void): void {
  if (processNumber !== null) process.on('message', listener);
}

/** A supervisor that is gone ends this process anyway. */
function send(message: ProcessMessage): void {
  if (processNumber !== null) process.send?.(message, () => undefined);
}

/**
 * Calls `stop` with the reason on SIGTERM, SIGINT and the end of the parent's IPC channel, and `reload`
 * on SIGHUP. On a terminal SIGHUP stops as well: it means that the terminal was closed.
 */
export function handleSignals({
  stop,
  reload,
}: {
  stop: (reason: string) => void;
  reload: () => void;
}): void {
  // The handlers stay: launchers pass on a signal that the terminal has sent us already.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop);
  if (process.connected) process.on('disconnect', () => stop('disconnect'));
  process.on('SIGHUP', () => (process.stdout.isTTY ? stop('SIGHUP') : reload()));
}
