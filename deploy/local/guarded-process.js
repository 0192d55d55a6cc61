import { spawn } from 'node:child_process';
import { writeOwner } from './owner-file.js';

/**
 * The guard: a shell between us and the server, with a pipe from us as its input.
 * The pipe ends when we close it and also when we are killed, whatever the signal; then the
 * guard signals the server, waits its grace and kills it. It is text and not a file because
 * it may run as a user who cannot read the checkout.
 * Arguments: signal, grace in seconds, folder to remove afterwards (or empty), command. The
 * last guard out also removes the loose files beside that folder and the folder around it.
 */
const GUARD = `
signal=$1 grace=$2 folder=$3
shift 3
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(
  read -r nothing <&3
  kill -s "$signal" "$server"
  tenths=$((grace * 10))
  while [ "$tenths" -gt 0 ] && kill -0 "$server"; do
    sleep 0.1
    tenths=$((tenths - 1))
  done
  kill -s KILL "$server"
) 2>/dev/null &
exec 3<&-
wait "$server"
status=$?
trap '' TERM
kill -s TERM 0
if [ -n "$folder" ]; then
  rm -rf "$folder"
  rm -f "\${folder%/*}"/* 2>/dev/null
  rmdir "\${folder%/*}" 2>/dev/null
fi
exit "$status"
`;

/**
 * @typedef {number | 'inherit' | 'pipe'} Output
 *
 * @typedef {object} GuardedOptions
 * @property {string} command
 * @property {string[]} args
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {{ uid?: number, gid?: number }} [identity] run as this user
 * @property {[Output, Output]} output where standard output and standard error go
 * @property {'INT' | 'TERM'} stopSignal
 * @property {number} graceSeconds time to stop by itself before it is killed
 * @property {string} [ownerFile] names the guard, so that a later start can wait for its end
 * @property {string} [removeFolder] removed when the server has ended
 *
 * @typedef {object} GuardedProcess
 * @property {import('node:stream').Readable | null} stdout with the output 'pipe'
 * @property {Promise<number>} exited exit code; 128 + n after signal n
 * @property {number} guardPid the server is a child of this process; 0 when it did not start
 * @property {() => Promise<void>} stop resolves when server and guard are gone
 */

/**
 * Starts a server that never outlives this process, not even after `kill -9` of it.
 * It has a session of its own: Ctrl-C in the terminal reaches only us, who stop in order.
 * @param {GuardedOptions} options
 * @returns {GuardedProcess}
 */
export function startGuarded(options) {
  const { command, args, output, stopSignal, graceSeconds, removeFolder = '' } = options;
  const guard = spawn(
    '/bin/sh',
    ['-c', GUARD, 'guard', stopSignal, String(graceSeconds), removeFolder, command, ...args],
    {
      ...options.identity,
      env: options.env ?? process.env,
      cwd: options.cwd ?? '/',
      detached: true,
      stdio: ['pipe', ...output],
    },
  );
  /** @type {Promise<number>} */
  const exited = new Promise((resolve, reject) => {
    guard.once('error', reject);
    guard.once('exit', (code) => resolve(code ?? 137));
  });
  // The pipe breaks when the server ends before us; `exited` is what reports that.
  guard.stdin?.on('error', () => undefined);
  if (options.ownerFile && guard.pid) writeOwner(options.ownerFile, guard.pid);
  const stop = async () => {
    guard.stdin?.end();
    await exited;
  };
  return { stdout: guard.stdout, exited, stop, guardPid: guard.pid ?? 0 };
}
