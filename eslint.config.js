import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const DEFAULT_EXPORT = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name; only configuration files that a tool reads export a default.',
};
const CONSTRUCTOR = {
  selector: 'MethodDefinition[kind="constructor"] > FunctionExpression[params.length>8]',
  message: 'More than eight dependencies: split the class by use case.',
};
const PARAMETERS = {
  selector: ':matches(FunctionDeclaration, ArrowFunctionExpression)[params.length>3]',
  message: 'More than three parameters: take an options object.',
};

/** What the compiler does not see: lost promises, imports that should be types, sizes. */
export default defineConfig(
  {
    ignores: [
      'dist/',
      'dist-docs/',
      'docs/.vitepress/.temp/',
      'release/',
      'coverage/',
      '.data/',
      'bench/results/',
      'src/core/ui/assets/',
    ],
  },
  js.configs.recommended,
  {
    // Every pattern that takes more than linear time on some text is refused (ReDoS).
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'certain' }],
    },
  },
  {
    rules: {
      'no-else-return': ['error', { allowElseIf: false }],
      // `== null` is the short way to ask for null or undefined.
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'object-shorthand': 'error',
      'prefer-const': 'error',
      // Git and HTTP forbid control characters by number.
      'no-control-regex': 'off',
      'no-empty': ['error', { allowEmptyCatch: false }],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended],
    languageOptions: {
      parserOptions: {
        project: ['test/tsconfig.json', 'src/core/ui/client/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      // As the compiler: an underscore marks what a signature must have and the body does not need.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      // Components throw promises that Preact's renderer waits for.
      '@typescript-eslint/only-throw-error': [
        'error',
        { allow: [{ from: 'lib', name: 'Promise' }] },
      ],
      // Custom elements are typed by extending Preact's namespace.
      '@typescript-eslint/no-namespace': ['error', { allowDeclarations: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/ban-ts-comment': 'error',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      'no-restricted-syntax': ['error', DEFAULT_EXPORT, CONSTRUCTOR, PARAMETERS],
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    ignores: ['src/database/migrations/*'],
    rules: { 'max-lines': ['error', 250] },
  },
  {
    files: ['ormconfig.ts'],
    rules: { 'no-restricted-syntax': ['error', CONSTRUCTOR, PARAMETERS] },
  },
  {
    files: ['**/*.js', '**/*.cjs', '**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'URL',
          'fetch',
          'Headers',
          'AbortSignal',
          'AbortController',
          'Buffer',
        ]
          .concat(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'])
          .concat(['performance', 'URLSearchParams', 'TextDecoder', 'TextEncoder', 'require'])
          .map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['deploy/dev/reload.js'],
    languageOptions: {
      globals: { document: 'readonly', location: 'readonly', EventSource: 'readonly' },
    },
  },
);
