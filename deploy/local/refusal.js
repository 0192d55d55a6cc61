/**
 * A start that cannot go on for a reason the person at the keyboard can mend.
 * Its message is one line and is shown without a stack trace.
 */
export class Refusal extends Error {}

/**
 * Runs a command's main function. A Refusal becomes one line and exit code 1;
 * anything else is a defect and keeps its stack trace.
 * @param {() => Promise<number | void>} main its number is the exit code
 * @returns {Promise<void>}
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(`guildhall: ${error.message}`);
    process.exitCode = 1;
  }
}
