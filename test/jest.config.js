import { availableParallelism } from 'node:os';

/**
 * Jest finds and reports the tests; our runner executes them as deploy/local/build-tests.js has
 * compiled them. PostgreSQL and Redis are real. Types are checked by `npm run check`.
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
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/faults/',
    '<rootDir>/test/clients/',
    '<rootDir>/test/upgrade/',
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/release/', '<rootDir>/.data/'],
  // Lets jest follow imports to the sources, to find the tests of what has changed.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  moduleFileExtensions: ['ts', 'tsx', 'js', 'json'],
  transform: {},
  runner: '<rootDir>/test/runner/index.js',
  globalSetup: '<rootDir>/test/global-setup.js',
  globalTeardown: '<rootDir>/test/global-teardown.js',
  // Several times what the longest test takes where nothing else runs.
  testTimeout: 60_000,
  maxWorkers: availableParallelism() + 2,
};

export default config;
