import type { EventEmitter } from 'node:events';
import {
  processCounter,
  processGauge,
  processHistogram,
} from '../core/metrics/metrics-registry.js';
import { endFailed, startClientSpan } from '../core/tracing/tracing.js';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30, 300];
const COMMAND = /^[a-z][a-z-]*$/;

const running = processGauge({
  name: 'guildhall_git_processes',
  help: 'Running Git processes of this process',
});
const ended = processCounter({
  name: 'guildhall_git_processes_total',
  help: 'Ended Git processes by command and outcome: ok, failed, killed by a signal, not started',
  labelNames: ['command', 'outcome'],
});
const durations = processHistogram({
  name: 'guildhall_git_process_duration_seconds',
  help: 'Lifetimes of Git processes by command',
  labelNames: ['command'],
  buckets: SECONDS,
});

/** Counts, measures and traces a Git process that is about to start with `args`. */
export function observeGit(args: readonly string[]): GitObservation {
  const command = args.find((argument) => COMMAND.test(argument)) ?? 'other';
  const startedAt = performance.now();
  const span = startClientSpan(`git ${command}`, { 'process.executable.name': 'git' });
  running.inc();
  const end = (outcome: string): void => {
    running.dec();
    ended.inc({ command, outcome });
    durations.observe({ command }, (performance.now() - startedAt) / 1000);
  };
  return {
    fail: (error) => {
      end('not_started');
      if (span !== null) endFailed(span, error);
    },
    follow: (child) => {
      child.once('exit', (code: number | null, signal: NodeJS.Signals | null) => {
        // Git also tells with an exit code that two commits have no common ancestor, for example.
        if (signal === null) span?.setAttribute('process.exit.code', code ?? 0).end();
        else if (span !== null) endFailed(span, new Error(signal));
        if (signal !== null) end('killed');
        else end(code === 0 ? 'ok' : 'failed');
      });
    },
  };
}

interface GitObservation {
  /** The process could not be started. */
  fail(error: Error): void;
  follow(child: EventEmitter): void;
}

/** Bytes of clones, fetches and pushes, including headers of responses. */
export const transferredBytes = processCounter({
  name: 'guildhall_git_transfer_bytes_total',
  help: 'Bytes of Git over HTTP by service and direction',
  labelNames: ['service', 'direction'],
});
