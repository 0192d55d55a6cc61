import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Command } from 'commander';
import pg from 'pg';
import type { Environment } from '../config/env-reader.js';
import { parseConfig, type Config } from '../config/env.js';
import { createLog, NestLog } from '../core/logger.js';
import { CliModule } from './cli.module.js';

/** Streams, environment and signals of the command line, replaceable in tests. */
export interface CliIo {
  env: Environment;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Everything on standard input. */
  readStdin(): Promise<string>;
  /** True when people watch: progress can be drawn over itself. */
  isTerminal: boolean;
}

/** Error with exit code 1 whose message is sufficient. */
export class CliError extends Error {}

/** Adds one command, or a group of them, to the program. */
export type RegisterCommand = (program: Command, cli: Cli) => void;

/** Configuration, services and output, shared by all commands. */
export class Cli {
  /** Set by `--json`, which every command takes. */
  json = false;
  private parsed: Config | undefined;

  constructor(readonly io: CliIo) {}

  /** Throws ConfigError. */
  get config(): Config {
    this.parsed ??= parseConfig(this.io.env);
    return this.parsed;
  }

  /** Runs `work` with the services of the application, straight on the database. */
  async withApp<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
    const { logLevel, databaseUrl } = this.config;
    await assertReachable(databaseUrl);
    const level = logLevel === 'info' ? 'warn' : logLevel;
    const log = createLog(level, { write: (line) => this.io.stderr(line) });
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

  /** Prints the result: as one line of JSON under `--json`, else as text for people. */
  print(result: object, text: string): void {
    this.io.stdout(`${this.json ? JSON.stringify(result) : text}\n`);
  }
}

/** Fails with the one reason that matters; an application that cannot start logs many. */
async function assertReachable(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  await client.end();
}
