import inspector from 'node:inspector';

/**
 * Preloads libraries and waits for the program to run, so that a restart only loads our own code.
 * @typedef {{ libraries: string[] } | { program: string, env: NodeJS.ProcessEnv, inspectPort: number | null }} HostMessage
 */

const EXIT_MS = 3000;
let loaded = Promise.resolve();

process.on('message', (message) => {
  const order = /** @type {HostMessage} */ (message);
  if ('libraries' in order) loaded = loaded.then(() => load(order.libraries));
  else void loaded.then(() => run(order));
});

// The development server has exited, for whatever reason.
process.on('disconnect', () => {
  setTimeout(() => process.exit(1), EXIT_MS).unref();
});

/** @param {string[]} libraries */
async function load(libraries) {
  for (const name of libraries) {
    // The program that imports the library fails with the same error and reports it.
    await import(name).catch(() => undefined);
  }
}

/** @param {{ program: string, env: NodeJS.ProcessEnv, inspectPort: number | null }} order */
async function run({ program, env, inspectPort }) {
  Object.assign(process.env, env);
  if (inspectPort !== null) inspector.open(inspectPort);
  process.setSourceMapsEnabled(true);
  await import(program);
}
