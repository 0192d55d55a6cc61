/**
 * The processes of a role on one machine that a supervisor runs (see supervisor.ts), as each of them
 * sees the group.
 */

/** Variable in which the supervisor passes a process its number and the size of the group: `2/4`. */
export const GROUP_VARIABLE = 'GUILDHALL_PROCESS';

/** Time for the other processes to answer; blocked and restarting ones are left out. */
const ANSWER_MS = 1_000;

const [ownNumber, size = 1] = (process.env[GROUP_VARIABLE] ?? '').split('/').map(Number);

/** Number of this process within its group, from 1; null if it runs alone. */
export const processNumber: number | null = ownNumber || null;

/** Messages of a process to its supervisor. */
export type ProcessMessage =
  | { type: 'ready' }
  | { type: 'question'; id: number }
  | { type: 'answer'; asker: number; id: number; text: string };

/** Messages of the supervisor to a process: `retire` stops it after another one has taken over. */
export type SupervisorMessage =
  | { type: 'retire' }
  | { type: 'question'; asker: number; id: number }
  | { type: 'answer'; id: number; text: string };

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

/** Answers the questions of the other processes, which do without the answer when it rejects. */
export function answerGroup(answer: () => Promise<string>): void {
  onMessage((message) => {
    if (message.type !== 'question') return;
    const { asker, id } = message;
    answer().then(
      (text) => send({ type: 'answer', asker, id, text }),
      () => undefined,
    );
  });
}

let questions = 0;

/** Returns the answers of the other processes. */
export function askGroup(): Promise<string[]> {
  if (processNumber === null) return Promise.resolve([]);
  const id = ++questions;
  const answers: string[] = [];
  return new Promise((resolve) => {
    const collect = (message: SupervisorMessage): void => {
      if (message.type !== 'answer' || message.id !== id) return;
      answers.push(message.text);
      if (answers.length === size - 1) finish();
    };
    const finish = (): void => {
      clearTimeout(timer);
      process.off('message', collect);
      resolve(answers);
    };
    const timer = setTimeout(finish, ANSWER_MS);
    onMessage(collect);
    send({ type: 'question', id });
  });
}

function onMessage(listener: (message: SupervisorMessage) => void): void {
  if (processNumber !== null) process.on('message', listener);
}

/** A supervisor that is gone ends this process anyway. */
function send(message: ProcessMessage): void {
  if (processNumber !== null) process.send?.(message, () => undefined);
}
