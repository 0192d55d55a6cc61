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
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  moduleFileExtensions: ['ts', 'tsx', 'js', 'json'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        swcrc: false,
        module: { type: 'es6' },
        sourceMaps: 'inline',
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true, tsx: true },
          transform: {
            legacyDecorator: true,
            decoratorMetadata: true,
            useDefineForClassFields: false,
            react: { runtime: 'automatic', importSource: 'preact' },
          },
          keepClassNames: true,
        },
      },
    ],
  },
  globalSetup: '<rootDir>/test/global-setup.js',
  globalTeardown: '<rootDir>/test/global-teardown.js',
  testTimeout: 30_000,
  maxWorkers: 2,
  // Jest's ES module registry is not freed between files.
  workerIdleMemoryLimit: '512MB',
};

export default config;
