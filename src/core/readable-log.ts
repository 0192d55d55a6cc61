import { stripVTControlCharacters, styleText } from 'node:util';
import type { DestinationStream } from 'pino';

type Style = Parameters<typeof styleText>[0];

const STYLES: Readonly<Record<string, Style>> = { warn: 'yellow', error: 'red', fatal: 'red' };

/** Fields that a line shows before the others, or leaves out. */
const PLACED = new Set(['level', 'time', 'pid', 'msg', 'context', 'err', 'stack']);

/** Turns the records of a log into lines for people, on a terminal: `12:30:00 info  message  port=3000`. */
export class ReadableLog implements DestinationStream {
  constructor(private readonly output: (text: string) => void) {}

  write(record: string): void {
    this.output(`${readableLine(JSON.parse(record) as Record<string, unknown>)}\n`);
  }
}

function readableLine(record: Record<string, unknown>): string {
  const { level, time, msg, context, err, stack } = record as Record<string, string | undefined>;
  const failure = err as unknown as { message?: string; stack?: string } | undefined;
  const fields = Object.entries(record)
    .filter(([name, value]) => !PLACED.has(name) && value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const reason = failure?.message === msg ? undefined : failure?.message;
  const texts = [context, msg, reason, ...fields].filter((text) => text !== undefined);
  const clock = new Date(time ?? 0).toTimeString().slice(0, 8);
  const label = styleText(STYLES[level ?? ''] ?? 'cyan', (level ?? '').padEnd(5));
  const trace = isFailure(level) ? (failure?.stack ?? stack) : undefined;
  // Texts of clients must not control the terminal.
  const line = `${styleText('dim', clock)} ${label} ${stripVTControlCharacters(texts.join('  ')).replace(/\p{Cc}/gu, ' ')}`;
  return trace === undefined ? line : `${line}\n${stripVTControlCharacters(trace)}`;
}

function isFailure(level: string | undefined): boolean {
  return level === 'error' || level === 'fatal';
}
