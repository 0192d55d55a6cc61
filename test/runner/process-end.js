/** @type {Set<() => Promise<void>>} */
const endings = new Set();

/**
 * Registers what a test process closes when it ends; the last registered is closed first.
 * @param {() => Promise<void>} end
 */
export function atProcessEnd(end) {
  endings.add(end);
}

/** Called by the runner when no file is left for this process. */
export async function endProcess() {
  for (const end of [...endings].reverse()) await end();
  endings.clear();
}
