import { tracingChannel } from 'node:diagnostics_channel';
import type { Span } from '@opentelemetry/api';
import { endFailed, startClientSpan } from './tracing.js';

/** A command as ioredis publishes it. */
interface Command {
  command: string;
  error?: unknown;
}

/** Makes spans of the commands that ioredis publishes; returns a function that stops it. */
export function traceRedis(): () => void {
  const channel = tracingChannel<unknown, Command>('ioredis:command');
  const spans = new WeakMap<Command, Span>();
  const subscriber = {
    start(command: Command): void {
      const name = command.command.toUpperCase();
      const attributes = { 'db.system.name': 'redis', 'db.operation.name': name };
      const span = startClientSpan(name, attributes);
      if (span !== null) spans.set(command, span);
    },
    end: () => undefined,
    asyncStart: () => undefined,
    asyncEnd(command: Command): void {
      const span = spans.get(command);
      if (command.error === undefined) span?.end();
      else if (span !== undefined) endFailed(span, command.error);
    },
    error: () => undefined,
  };
  channel.subscribe(subscriber);
  return () => channel.unsubscribe(subscriber);
}
