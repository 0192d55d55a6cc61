import base from '../jest.config.js';

/** @type {import('jest').Config} */
const config = {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/upgrade/**/*.e2e-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};

export default config;
