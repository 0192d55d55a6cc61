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
import { createHttpApp } from './http-app.js';
import { makeDataDir, testConfig, type TestEnvironment } from './config.js';
import { createTestDatabase } from './database.js';
import { openPort } from './listening-port.js';

/** The web process of one test file, listening on `url`. */
export interface TestApp {
  url: string;
  app: NestExpressApplication;
  config: Config;
  dataSource: DataSource;
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

/** Starts the whole application on a clone of the migrated template database. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
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
    const close = async (): Promise<void> => {
      await app.close();
      await removeAll();
    };
    return { url, app, config, dataSource: app.get(DataSource), close };
  } catch (error) {
    handle.close();
    await removeAll();
    throw error;
  }
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
