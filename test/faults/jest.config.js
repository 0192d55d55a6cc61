import { availableParallelism } from 'node:os';
import base from '../jest.config.js';

/** @type {import('jest').Config} */
const config = {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/faults/**/*.e2e-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 120_000,
  // Each file runs several processes of its own, some against the clock.
  maxWorkers: availableParallelism(),
};

export default config;
