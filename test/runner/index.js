import { fileURLToPath } from 'node:url';
import { Worker } from 'jest-worker';
import { testVariables } from '../global-setup.js';

const WORKER = fileURLToPath(new URL('worker.cjs', import.meta.url));
/** Time for a process to close its application and browser. */
const EXIT_MS = 10_000;
/**
 * Halves young-generation collections, since most objects die with the request that created them.
 */
const NURSERY = '--max-semi-space-size=32';
/**
 * Most functions run too rarely in tests to pay for their optimization. Newer versions of Node have
 * a cheaper compiler between and no such option.
 */
const RARE_OPTIMIZATION = process.version.startsWith('v20.') ? ['--interrupt-budget=270000'] : [];

/**
 * Jest runner whose processes keep what they have loaded: the modules of the application, one
 * shared application and one browser serve all files that a process is given. Jest's own runner
 * loads about 1,900 modules anew for each file, which takes longer than most files' tests.
 */
export default class ReusingRunner {
  supportsEventEmitters = false;
  isSerial = false;

  /** @param {import('@jest/types').Config.GlobalConfig} globalConfig */
  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  /**
   * @param {import('@jest/test-result').Test[]} tests
   * @param {import('jest-watcher').TestWatcher} watcher
   * @param {import('jest-runner').OnTestStart} onStart
   * @param {import('jest-runner').OnTestSuccess} onResult
   * @param {import('jest-runner').OnTestFailure} onFailure
   */
  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const pool = this.#startPool(tests.length);
    const waiting = [...tests];
    /** Takes one file at a time, so that an interrupted run ends after the current ones. */
    const work = async () => {
      await pool.loadApplication();
      const variables = await testVariables();
      for (let test = waiting.shift(); test; test = waiting.shift()) {
        if (watcher.isInterrupted()) return;
        await onStart(test);
        const { path, context } = test;
        const request = { path, config: context.config, globalConfig: this.globalConfig };
        try {
          await onResult(test, await pool.runFile({ ...request, variables }));
        } catch (error) {
          await onFailure(test, serializableError(error));
        }
      }
    };
    try {
      await Promise.all(Array.from({ length: pool.numWorkers }, work));
    } finally {
      await pool.end();
    }
  }

  /** @param {number} fileCount */
  #startPool(fileCount) {
    const { maxWorkers } = this.globalConfig;
    const numWorkers = Math.max(1, Math.min(maxWorkers, fileCount));
    const worker = new Worker(WORKER, {
      exposedMethods: ['loadApplication', 'runFile'],
      numWorkers,
      // A file that ends its process has failed.
      maxRetries: 0,
      workerGracefulExitTimeout: EXIT_MS,
      forkOptions: {
        serialization: 'advanced',
        stdio: 'inherit',
        execArgv: ['--expose-gc', NURSERY, ...RARE_OPTIMIZATION, ...inspectOption()],
      },
    });
    return /** @type {Pool} */ (Object.assign(worker, { numWorkers }));
  }
}

/** @returns {string[]} the inspector option from deploy/run-tests.js */
function inspectOption() {
  const { TEST_INSPECT } = process.env;
  return TEST_INSPECT ? [TEST_INSPECT] : [];
}

/**
 * @typedef {Worker & typeof import('./run-file.js') & { numWorkers: number }} Pool
 */

/**
 * @param {unknown} error
 * @returns {import('@jest/test-result').SerializableError}
 */
function serializableError(error) {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { message, stack, type: 'Error' };
}
