import { once } from 'node:events';
import type { Server } from 'node:http';
import { rm } from 'node:fs/promises';
import type { ModuleMetadata } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import type { DestinationStream } from 'pino';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import type { Config } from '../../src/config/env.js';
import { createLog } from '../../src/core/logger.js';
import { InstanceSettings } from '../../src/core/settings/instance-settings.service.js';
import { createHttpApp } from './http-app.js';
import { atProcessEnd } from '../runner/process-end.js';
import { makeDataDir, testConfig, type TestEnvironment } from './config.js';
import { createTestDatabase } from './database.js';
import { openPort } from './listening-port.js';

/** A web process for tests, listening on `url`. */
export interface TestApp {
  url: string;
  app: NestExpressApplication;
  config: Config;
  dataSource: DataSource;
}

/** A web process of one test file, which has to close it. */
export interface OwnTestApp extends TestApp {
  /** Stops the app, drops its database and deletes its data folder. */
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** Environment variables that differ from the tests' own, such as `REPORTED_VERSION`. */
  env?: TestEnvironment;
  /** Further modules, such as one with routes that only a test needs. */
  imports?: NonNullable<ModuleMetadata['imports']>;
  /** Replaces providers: `(builder) => builder.overrideProvider(Clock).useValue(clock)`. */
  override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  /** Takes the log lines instead of standard output; set `LOG_LEVEL`, too. */
  logDestination?: DestinationStream;
}

let shared: Promise<OwnTestApp> | undefined;

/**
 * The application that the test files of this process share, started by the first that asks for
 * it and closed with the process. Instance settings are the defaults again, and no notification
 * of an earlier file waits for its emails; all other rows of earlier files are still there, so
 * assert only on rows that the file made.
 */
export async function sharedTestApp(): Promise<TestApp> {
  shared ??= startTestApp();
  const app = await shared;
  atProcessEnd(app.close);
  await restoreSettings(app);
  // Those of a hundred files would take longer to write than a test may run.
  await app.dataSource.query('UPDATE notifications SET mailed_at = now() WHERE mailed_at IS NULL');
  return app;
}

async function restoreSettings({ app, dataSource }: TestApp): Promise<void> {
  await dataSource.query('DELETE FROM storage_settings');
  await dataSource.query('DELETE FROM application_settings');
  await app.get(InstanceSettings).reload();
}

/**
 * Starts an application of the file's own on a clone of the migrated template database: for
 * options, for a second process or worker beside it, or for rules about all rows there are.
 */
export async function startTestApp(options: TestAppOptions = {}): Promise<OwnTestApp> {
  const [database, dataDir, { port, handle }] = await Promise.all([
    createTestDatabase(),
    makeDataDir(),
    openPort(),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const config = testConfig({ database, baseUrl: url, dataDir, env: options.env });
  const removeAll = async (): Promise<void> => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const app = await buildApp(config, options);
    const server = app.getHttpServer() as Server;
    server.listen(handle);
    await once(server, 'listening');
    return new RunningApp(url, config, app, removeAll);
  } catch (error) {
    handle.close();
    await removeAll();
    throw error;
  }
}

/** Lets go of the application when it is closed: test files stay loaded, and would keep it. */
class RunningApp implements OwnTestApp {
  dataSource: DataSource;

  constructor(
    readonly url: string,
    readonly config: Config,
    public app: NestExpressApplication,
    private readonly removeAll: () => Promise<void>,
  ) {
    this.dataSource = app.get(DataSource);
  }

  close = async (): Promise<void> => {
    const { app } = this;
    Object.assign(this, { app: undefined, dataSource: undefined });
    await app.close();
    await this.removeAll();
  };
}

async function buildApp(
  config: Config,
  { imports = [], override = (builder) => builder, logDestination }: TestAppOptions,
): Promise<NestExpressApplication> {
  const builder = Test.createTestingModule({ imports: [AppModule.forRoot(config), ...imports] });
  const moduleRef = await override(builder).compile();
  const app = createHttpApp(moduleRef, config, createLog(config.logLevel, logDestination));
  try {
    await app.init();
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}
