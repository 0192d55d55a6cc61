import { relative, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createEmptyTestResult } from '@jest/test-result';
import { expect } from 'expect';
import { addEventHandler, getState, resetState, run } from 'jest-circus';
import { formatExecError, formatResultsErrors } from 'jest-message-util';
import { withSourcePositions } from './source-positions.js';

const COMPILED = resolve('dist');
const GARBAGE_BYTES = 200 * 1024 * 1024;

/**
 * @typedef {object} RunRequest
 * @property {string} path of the spec file's source
 * @property {import('@jest/types').Config.GlobalConfig} globalConfig
 * @property {import('@jest/types').Config.ProjectConfig} config
 * @property {import('../global-setup.js').TestVariables} variables
 */

/** Loads what nearly every file needs while the servers are being started. */
export async function loadApplication() {
  await import(pathToFileURL(resolve(COMPILED, 'test/support/app.js')).href);
}

/**
 * Runs one spec file inside this process and returns jest's result for it. Modules stay loaded
 * between files, so a file that is run twice needs a second process.
 * @param {RunRequest} request
 * @returns {Promise<import('@jest/test-result').TestResult>}
 */
export async function runFile({ path, globalConfig, config, variables }) {
  Object.assign(process.env, variables);
  await waitOutEndOf(DAY);
  const startedAt = Date.now();
  prepareCircus(path, globalConfig, config);
  const restore = reportGlobalErrors();
  try {
    await import(pathToFileURL(compiledPath(path, config.rootDir)).href);
    const outcome = await run();
    return toTestResult(outcome, { path, globalConfig, config }, startedAt);
  } finally {
    restore();
    collectGarbage();
  }
}

let usedAfterCollection = 0;

/** Collects what files left behind once it is much; V8 would wait for the memory to be scarce. */
function collectGarbage() {
  if (process.memoryUsage().heapUsed < usedAfterCollection + GARBAGE_BYTES) return;
  globalThis.gc?.();
  usedAfterCollection = process.memoryUsage().heapUsed;
}

/**
 * @param {string} path
 * @param {string} rootDir
 */
function compiledPath(path, rootDir) {
  return resolve(COMPILED, relative(rootDir, path)).replace(/\.tsx?$/, '.js');
}

/**
 * @param {string} testPath
 * @param {import('@jest/types').Config.GlobalConfig} globalConfig
 * @param {import('@jest/types').Config.ProjectConfig} config
 */
function prepareCircus(testPath, globalConfig, config) {
  resetState();
  const state = getState();
  state.testTimeout = globalConfig.testTimeout ?? config.testTimeout;
  state.maxConcurrency = globalConfig.maxConcurrency;
  state.randomize = globalConfig.randomize;
  state.seed = globalConfig.seed;
  const { testNamePattern } = globalConfig;
  if (testNamePattern) state.testNamePattern = new RegExp(testNamePattern, 'i');
  expect.setState({ testPath, expand: globalConfig.expand });
}

/**
 * No test begins in the last seconds of an hour, nor a file in the last minute of a day (UTC):
 * what it makes and what it asks for would belong to different ones.
 */
const HOUR = { ms: 3_600_000, marginMs: 10_000 };
const DAY = { ms: 86_400_000, marginMs: 60_000 };

/** @param {{ ms: number, marginMs: number }} period */
async function waitOutEndOf({ ms, marginMs }) {
  const left = ms - (Date.now() % ms);
  if (left < marginMs) await delay(left);
}

addEventHandler(async (event) => {
  if (event.name === 'test_start') await waitOutEndOf(HOUR);
});

addEventHandler((event) => {
  if (event.name !== 'test_done') return;
  const missing = expect.extractExpectedAssertionsErrors();
  event.test.errors.push(...missing.map(({ error }) => error));
  const { suppressedErrors = [] } = expect.getState();
  event.test.errors.push(...suppressedErrors);
  expect.setState({ suppressedErrors: [] });
});

/** Attributes uncaught errors to the running test, or to the file between two tests. */
function reportGlobalErrors() {
  /** @param {unknown} error */
  const report = (error) => {
    const { currentlyRunningTest, unhandledErrors } = getState();
    const list = currentlyRunningTest ? currentlyRunningTest.errors : unhandledErrors;
    list.push(error);
  };
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
  return () => {
    process.off('uncaughtException', report);
    process.off('unhandledRejection', report);
  };
}

/**
 * @param {import('@jest/types').Circus.RunResult} outcome
 * @param {Omit<RunRequest, 'variables'>} request
 * @param {number} startedAt
 * @returns {import('@jest/test-result').TestResult}
 */
function toTestResult(outcome, { path, globalConfig, config }, startedAt) {
  const testResults = outcome.testResults.map(toAssertionResult);
  const unhandledErrors = outcome.unhandledErrors.map(withSourcePositions);
  /** @param {string} status */
  const count = (status) => testResults.filter((result) => result.status === status).length;
  const end = Date.now();
  const empty = createEmptyTestResult();
  const failures = [
    formatResultsErrors(testResults, config, globalConfig, path),
    ...unhandledErrors.map((stack) =>
      formatExecError({ message: '', stack }, config, globalConfig, path),
    ),
  ].filter(Boolean);
  const [unhandled] = unhandledErrors;
  return {
    ...empty,
    testFilePath: path,
    testResults,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    failureMessage: failures.length > 0 ? failures.join('\n\n') : null,
    ...(unhandled === undefined ? {} : { testExecError: { message: '', stack: unhandled } }),
    ...(globalConfig.logHeapUsage ? { memoryUsage: process.memoryUsage().heapUsed } : {}),
    perfStats: {
      ...empty.perfStats,
      start: startedAt,
      end,
      runtime: end - startedAt,
      slow: end - startedAt > config.slowTestThreshold * 1000,
    },
  };
}

/**
 * @param {import('@jest/types').Circus.TestResult} result
 * @returns {import('@jest/test-result').AssertionResult}
 */
function toAssertionResult(result) {
  // The first name is that of jest-circus' own root block.
  const names = result.testPath.slice(1);
  return {
    ancestorTitles: names.slice(0, -1),
    title: names.at(-1) ?? '',
    fullName: names.join(' '),
    status: statusOf(result),
    duration: result.duration,
    startAt: result.startedAt,
    failing: result.failing,
    // Only the messages are led back to the sources.
    failureDetails: [],
    failureMessages: result.errors.map(withSourcePositions),
    invocations: result.invocations,
    location: result.location,
    numPassingAsserts: result.numPassingAsserts,
    retryReasons: [...result.retryReasons],
  };
}

/** @param {import('@jest/types').Circus.TestResult} result */
function statusOf({ status, errors }) {
  if (status === 'skip') return 'pending';
  if (status === 'todo') return 'todo';
  return errors.length > 0 ? 'failed' : 'passed';
}
