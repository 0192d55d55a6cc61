import base from '../jest.config.js';

/** @type {import('jest').Config} */
const config = {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/clients/**/*.e2e-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 120_000,
};

export default config;
