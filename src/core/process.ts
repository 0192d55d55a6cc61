import type { Logger } from 'pino';
import { type Config, ConfigError, parseConfig } from '../config/env.js';
import { startTracing } from './tracing/tracing.js';
import { createLog } from './logger.js';

/** A process that does not stop in order within this time is ended anyway. */
const STOP_BOUND_MS = 29_000;

/** Reason why a process cannot start that an operator can remove; logged in one line, without a stack. */
export class StartError extends Error {}

/** Stops a component; resolves when nothing of it is running. */
export type Stop = () => Promise<void>;

/**
 * Runs a process until SIGTERM, SIGINT or the end of its parent's IPC channel, then stops it in
 * order. Mistakes of the configuration and a failed start end it with code 1 and one message.
 */
export function runProcess(
  name: 'web' | 'worker',
  start: (config: Config, log: Logger) => Promise<Stop>,
): void {
  runUntilStopped(name, start).then(
    () => process.exit(0),
    (error: unknown) => {
      if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
      process.exit(1);
    },
  );
}

async function runUntilStopped(
  name: string,
  start: (config: Config, log: Logger) => Promise<Stop>,
): Promise<void> {
  const config = parseConfig(process.env);
  const log = createLog(config.logLevel);
  const stopRequest = waitForStopRequest();
  try {
    const stopTracing = config.isTraced ? await startTracing(`guildhall-${name}`) : null;
    const stop = await start(config, log);
    log.info({ reason: await stopRequest }, 'stopping');
    // Bull rejects waits for connections that it closes, which nothing awaits any longer.
    process.on('unhandledRejection', (err) => log.warn({ err }, 'rejected while stopping'));
    setTimeout(() => process.exit(1), STOP_BOUND_MS).unref();
    await stop();
    await stopTracing?.();
    log.info('stopped');
  } catch (error) {
    if (error instanceof StartError) log.fatal(error.message);
    else log.fatal({ err: error }, 'the process cannot go on');
    throw error;
  }
}

/** The handlers stay: launchers pass on a signal that the terminal has sent us already. */
function waitForStopRequest(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => resolve(signal));
    if (process.connected) process.on('disconnect', () => resolve('disconnect'));
  });
}
