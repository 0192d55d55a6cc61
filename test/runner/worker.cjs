'use strict';

// jest-worker loads its file with require(), and everything else here is an ES module.

exports.loadApplication = async () => (await import('./run-file.js')).loadApplication();

/** @param {import('./run-file.js').RunRequest} request */
exports.runFile = async (request) => (await import('./run-file.js')).runFile(request);

/** Called by jest-worker before the process ends. */
exports.teardown = async () => {
  await (await import('./process-end.js')).endProcess();
  // Open handles of a test, such as an idle connection, must not keep the process alive.
  process.exit();
};
