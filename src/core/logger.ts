import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapping } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../config/env.js';
import { processNumber } from './process-group.js';

/** Names whose values must never reach a log, at the top of a record or one level below. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'private_token',
  'access_token',
  'refresh_token',
  'client_secret',
  'feed_token',
  'secret',
  'token',
];

/**
 * The log of a process on standard output: lines for people on a terminal, else one JSON object per
 * line. Levels are a contract: error = someone must act, warn = worth a look, debug = what clients did wrong.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid, ...(processNumber !== null && { process: processNumber }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]),
        censor: '[secret]',
      },
      serializers: { err: describeError },
    },
    destination ?? standardOutput(),
  );
}

/** Bytes that a pipe takes as a whole: beyond them, lines of processes that share one would mix. */
const PIPE_BYTES = 4096;

/**
 * Lines are written once there are so many bytes of them. Behind a reader that stands still, lines
 * beyond the last number of bytes are dropped.
 */
const BUFFER = {
  ...(processNumber === null
    ? { minLength: 15 * 1024 }
    : { minLength: PIPE_BYTES - 1, maxWrite: PIPE_BYTES }),
  maxLength: 16 * 1024 * 1024,
};

/** Time after which a line is written at the latest. */
const FLUSH_MS = 100;

/** Writes of single lines would take a tenth of the CPU time of small requests. Exits write the rest. */
function standardOutput(): DestinationStream {
  if (process.stdout.isTTY) return new ReadableLog((text) => process.stdout.write(text));
  const output = pino.destination({ fd: 1, sync: false, ...BUFFER });
  // The stream's own `periodicFlush` writes ten times a second, also when there are no lines.
  let unwritten = 0;
  let timer: NodeJS.Timeout | null = null;
  const flushLater = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      if (unwritten <= 0) return;
      output.flush();
      // While a write is under way a flush does nothing.
      flushLater();
    }, FLUSH_MS).unref();
  };
  output.on('write', (bytes: number) => (unwritten -= bytes));
  output.on('drop', (line: string) => (unwritten -= Buffer.byteLength(line)));
  return {
    write: (line) => {
      unwritten += Buffer.byteLength(line);
      output.write(line);
      flushLater();
    },
    flushSync: () => output.flushSync(),
  } as DestinationStream;
}

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

/**
 * Returns the attributes of an error for the log. Leaves out parameters and detail of database
 * errors, as they contain client data.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint, table } = error as Error & Record<string, unknown>;
  return {
    type: error.constructor.name,
    message: error.message,
    ...(error.stack !== undefined && { stack: sourceStack(error.stack) }),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    ...(table !== undefined && { table }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/** Start-up log of Nest, only useful for debugging. */
const STARTUP_CONTEXTS = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/** Nest's own messages and those of `new Logger(SomeClass.name)` as lines of our log. */
export class NestLog implements LoggerService {
  constructor(private readonly lines: Logger) {}

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write(STARTUP_CONTEXTS.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  private write(level: LogLevel, message: unknown, rest: unknown[]): void {
    const texts = rest.filter((item) => typeof item === 'string');
    const context = texts.at(-1);
    const stack = texts.length > 1 ? sourceStack(texts[0] ?? '') : undefined;
    const cause = message instanceof Error ? message : rest.find((item) => item instanceof Error);
    this.lines[level]({ context, stack, err: cause }, textOf(message));
  }
}

function textOf(message: unknown): string {
  if (typeof message === 'string') return message;
  return message instanceof Error ? message.message : JSON.stringify(message);
}

/** Folder of this file: bundled, all others of the bundle are beside it. */
const FOLDER = `${dirname(fileURLToPath(import.meta.url))}/`;
const POSITION = /^([\w.-]+\.js):(\d+):(\d+)/;

const maps = new Map<string, SourceMap | null>();

/**
 * Returns the stack trace of an error in the bundle with positions in the sources. Node's
 * `--enable-source-maps` reads all maps at the start, which takes 20 MB, and slows down each stack.
 */
export function sourceStack(stack: string): string {
  // Only files of the folder are read: messages are part of stacks and can name any path.
  const [head = '', ...positions] = stack.replaceAll(`file://${FOLDER}`, FOLDER).split(FOLDER);
  return [head, ...positions.map(inSource)].join('');
}

/** Replaces the position in a file of the folder at the beginning of a text. */
function inSource(text: string): string {
  const [position, file, line, column] = POSITION.exec(text) ?? [];
  if (position === undefined || file === undefined) return `${FOLDER}${text}`;
  const { originalSource, originalLine = 0, originalColumn = 0 } = originOf(file, line, column);
  if (originalSource === undefined) return `${FOLDER}${text}`;
  const target = `${originalLine + 1}:${originalColumn + 1}`;
  return `${join(FOLDER, originalSource)}:${target}${text.slice(position.length)}`;
}

/** Code that the bundler added has an entry without a source, contrary to Node's types. */
function originOf(file: string, line?: string, column?: string): Partial<SourceMapping> {
  return mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1) ?? {};
}

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known !== undefined) return known;
  const map = readMap(join(FOLDER, `${file}.map`));
  maps.set(file, map);
  return map;
}

/** Returns null without a readable map: a log line must not fail for its stack. */
function readMap(path: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as MapPayload);
  } catch {
    return null;
  }
}

type MapPayload = ConstructorParameters<typeof SourceMap>[0];
