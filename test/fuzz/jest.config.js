import base from '../jest.config.js';

// The same files run in `npm test` with a sample of their cases.
process.env.GUILDHALL_FUZZ = 'full';

/** @type {import('jest').Config} */
const config = {
  ...base,
  rootDir: '../..',
  testMatch: [
    '<rootDir>/test/{fuzz,access}/**/*.e2e-spec.ts',
    '<rootDir>/test/**/*-property.e2e-spec.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 1_800_000,
};

export default config;
