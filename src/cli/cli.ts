import { userInfo } from 'node:os';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Command } from 'commander';
import { DataSource } from 'typeorm';
import { type AuditActor, type AuditEntry, AuditLog } from '../core/audit/audit.service.js';
import type { Environment } from '../config/env-reader.js';
import { parseConfig, type Config, ConfigError } from '../config/env.js';
import { withLocalServers } from '../config/local-servers.js';
import { createLog, NestLog, ReadableLog } from '../core/logger.js';
import { ApiError, type ErrorBody } from '../core/errors.js';
import { assertMigrated } from '../database/sql/schema-state.js';
import { CliModule } from './cli.module.js';

/** Text below the help of a command; lines without the program. */
export function examplesText(lines: readonly string[]): string {
  return ['\nExamples:', ...lines.map((line) => `  $ guildhall ${line}`)].join('\n');
}

/** Streams, environment and signals of the command line, replaceable in tests. */
export interface CliIo {
  env: Environment;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Returns everything on standard input. */
  readStdin(): Promise<string>;
  /** True if standard output is a terminal, on which progress can be redrawn. */
  isTerminal: boolean;
}

/** Error with exit code 1 whose message is sufficient. */
export class CliError extends Error {}

const REDIS_TIMEOUT_MS = 5_000;
const NO_DATABASE = 'DATABASE_URL is required';
const START_HINT = '  or no `npm start` runs on this DATA_DIR';

/** Adds one command, or a group of them, to the program. */
export type RegisterCommand = (program: Command, cli: Cli) => void;

/** Configuration, services and output, shared by all commands. */
export class Cli {
  /** Set by `--json`, which every command takes. */
  json = false;
  private parsed: Config | undefined;

  constructor(readonly io: CliIo) {}

  /**
   * The configuration, with the servers of a running `npm start` unless the environment names others.
   * Throws ConfigError.
   */
  get config(): Config {
    this.parsed ??= this.readConfig();
    return this.parsed;
  }

  private readConfig(): Config {
    try {
      return parseConfig(withLocalServers(this.io.env));
    } catch (error) {
      const isWithoutServers = error instanceof ConfigError && error.errors.includes(NO_DATABASE);
      throw isWithoutServers ? new CliError(`${error.message}\n${START_HINT}`) : error;
    }
  }

  /** Author of changes in the audit log: the person who runs the command, also behind sudo. */
  get actor(): AuditActor {
    const name = this.io.env['SUDO_USER'] || systemUser();
    return { viewer: null, impersonator: null, name: `${name} (command line)` };
  }

  /** Runs `work` with the services of the application, directly on the database. */
  async withApp<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
    const { logLevel, databaseUrl } = this.config;
    await assertMigrated(databaseUrl);
    const level = logLevel === 'info' ? 'warn' : logLevel;
    const write = (text: string): void => this.io.stderr(text);
    const log = createLog(level, this.io.isTerminal ? new ReadableLog(write) : { write });
    const app = await NestFactory.createApplicationContext(CliModule.forRoot(this.config), {
      logger: new NestLog(log),
      abortOnError: false,
    });
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  }

  /** Writes what the command has done to the audit log. */
  recordAction(app: INestApplicationContext, entry: AuditEntry): Promise<void> {
    return app
      .get(DataSource)
      .transaction((tx) => app.get(AuditLog, { strict: false }).record(tx, this.actor, entry));
  }

  /** Prints an error: as one line of JSON with `--json`, else as text. */
  printError(message: string): void {
    const text = this.json ? JSON.stringify({ error: message }) : `guildhall: ${message}`;
    this.io.stderr(`${text}\n`);
  }

  /** Prints the result: as one line of JSON with `--json`, else as text. */
  print(result: object, text: string): void {
    this.io.stdout(`${this.json ? JSON.stringify(result) : text}\n`);
  }
}

/** Returns the name of the user of this process; in containers a number can have none. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `UID ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Returns what Redis answers. Rejects after 5 seconds, as Bull waits for a connection forever. */
export function answerOfRedis<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new CliError('Redis does not answer'));
    const timer = setTimeout(fail, REDIS_TIMEOUT_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Errors of files: `EACCES: permission denied, open '/srv/key'`. */
const FILE_ERROR = /^E[A-Z]+: (?<reason>[^,]+), [a-z]+ '(?<path>[^']+)'/;
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'ENOENT']);

/** Returns the error as one line (one line per configuration error). */
export function describeFailure(error: unknown): string {
  if (error instanceof CliError || error instanceof ConfigError) return error.message;
  if (error instanceof ApiError) return describeRefusal(error.body);
  // Trying several addresses of one host fails with one error that holds all of them.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return describeFailure(error.errors[0]);
  }
  if (!(error instanceof Error)) return String(error);
  const [line = ''] = error.message.split('\n');
  const file = FILE_ERROR.exec(line)?.groups;
  if (file !== undefined) return `cannot access ${file['path']}: ${file['reason']}`;
  const { code } = error as NodeJS.ErrnoException;
  return UNREACHABLE.has(code ?? '') ? `a service cannot be reached: ${line}` : line;
}

/** Returns an API error without its status: `username is a reserved name; email is invalid`. */
function describeRefusal({ message, error }: ErrorBody): string {
  if (typeof message === 'string') {
    return message.replace(/^\d{3} (?:\(Bad request\) |[\w ]+ - )?/, '');
  }
  if (typeof message !== 'object' || message === null) return String(error);
  return Object.entries(message)
    .map(([attribute, problems]) => `${attribute} ${[problems].flat().join(', ')}`)
    .join('; ');
}
