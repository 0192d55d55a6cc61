import { availableParallelism } from 'node:os';

/**
 * Jest in ES module mode: swc compiles (types are checked by `npm run check`), PostgreSQL and
 * Redis are real. The compiler settings mirror tsconfig.json; class fields must not be defined,
 * or an absent key of a DTO would look like a given one.
 * @type {import('jest').Config}
 */
const config = {
  rootDir: '..',
  testEnvironment: 'node',
  testMatch: [
    '<rootDir>/src/**/*.spec.ts',
    '<rootDir>/test/**/*.e2e-spec.ts',
    '<rootDir>/test/*.spec.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/faults/', '<rootDir>/test/clients/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  moduleFileExtensions: ['ts', 'tsx', 'js', 'json'],
  // Compiled by deploy/local/build-tests.js.
  transform: {},
  runner: '<rootDir>/test/runner/index.js',
  globalSetup: '<rootDir>/test/global-setup.js',
  globalTeardown: '<rootDir>/test/global-teardown.js',
  testTimeout: 30_000,
  maxWorkers: availableParallelism(),
  workerIdleMemoryLimit: '600MB',
};

export default config;
