import type { Logger } from 'pino';
import { type Config, ConfigError, parseConfig } from '../config/env.js';
import { startTracing } from './tracing/tracing.js';
import { createLog } from './logger.js';
import { connectionsOf } from '../config/processes.js';
import { onRetirement, processNumber, reportReady, handleSignals } from './process-group.js';

/** A process that does not stop in order within this time is ended anyway. */
const STOP_BOUND_MS = 29_000;

/** Reason why a process cannot start that an operator can remove; logged in one line, without a stack. */
export class StartError extends Error {}

/**
 * Stops a component; resolves when nothing of it is running. `isReplaced`: another process has taken
 * over and is ready.
 */
export type Stop = (end: { isReplaced: boolean }) => Promise<void>;

type Start = (config: Config, log: Logger) => Promise<Stop>;

/**
 * Runs a role until SIGTERM, SIGINT or the end of its parent's IPC channel, then stops it in order: in
 * this process, or in several that this one supervises without loading the application, and that end at
 * once if it is killed. Mistakes of the configuration and a failed start end it with code 1 and one
 * message.
 */
export function runProcess(role: 'web' | 'worker', load: () => Promise<Start>): void {
  runUntilStopped(role, load).then(
    (code) => process.exit(code),
    (error: unknown) => {
      if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
      process.exit(1);
    },
  );
}

async function runUntilStopped(
  role: 'web' | 'worker',
  load: () => Promise<Start>,
): Promise<number> {
  const config = parseConfig(process.env);
  const log = createLog(config.logLevel);
  const size = role === 'web' ? config.webProcesses : config.workerProcesses;
  if (size > 1 && processNumber === null) {
    const { Supervisor } = await import('./supervisor.js');
    return new Supervisor(role, size, log).run();
  }
  const stopRequest = waitForStopRequest(log);
  try {
    const stopTracing = config.isTraced ? await startTracing(`guildhall-${role}`) : null;
    const start = await load();
    const stop = await start(
      {
        ...config,
        databasePoolSize: connectionsOf(config, processNumber === null ? 1 : size),
      },
      log,
    );
    reportReady();
    const reason = await stopRequest;
    log.info({ reason }, 'stopping');
    // Bull rejects waits for connections that it closes, which nothing awaits any longer.
    process.on('unhandledRejection', (err) => log.warn({ err }, 'rejected while stopping'));
    setTimeout(() => process.exit(1), STOP_BOUND_MS).unref();
    await stop({ isReplaced: reason === 'replaced' });
    await stopTracing?.().catch((err) => log.warn({ err }, 'the last spans were not sent'));
    log.info('stopped');
    return 0;
  } catch (error) {
    if (error instanceof StartError) log.fatal(error.message);
    else log.fatal({ err: error }, 'the process cannot go on');
    throw error;
  }
}

function waitForStopRequest(log: Logger): Promise<string> {
  return new Promise((stop) => {
    // The supervisor of a group receives SIGHUP as well, and restarts its processes.
    const reload = (): void => {
      if (processNumber === null) log.warn('SIGHUP is ignored: a single process cannot restart');
    };
    handleSignals({ stop, reload });
    onRetirement(() => stop('replaced'));
  });
}

/**
 * Returns the memory that only the start needed, a third of the heap, which V8 keeps until the heap
 * has grown. Takes 0.1 to 0.2 s, so it belongs before the first request; needs `--expose-gc`.
 */
export function collectStartGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
