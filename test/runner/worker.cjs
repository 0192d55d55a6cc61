'use strict';

// jest-worker loads its file with require(), and everything else here is an ES module.

exports.loadApplication = async () => (await import('./run-file.js')).loadApplication();

/** @param {import('./run-file.js').RunRequest} request */
exports.runFile = async (request) => (await import('./run-file.js')).runFile(request);

/** Called by jest-worker before the process ends. */
exports.teardown = async () => {
  await (await import('./process-end.js')).endProcess();
  // What a test left open, such as an idle connection, must not hold the process.
  process.exit();
};
