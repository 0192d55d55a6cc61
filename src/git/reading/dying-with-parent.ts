import { exitCode } from '../exit-code.js';

const PREFIX = ['setpriv', '--pdeathsig', 'KILL'] as const;

let works: Promise<boolean> | undefined;

/**
 * Returns the command prefix of processes that must end with this one, even when it is killed: git
 * can compute for hours without a reader. Empty where util-linux' setpriv is missing.
 */
export async function dyingWithParent(): Promise<readonly string[]> {
  works ??= exitCode(PREFIX[0], [...PREFIX.slice(1), 'true']).then(
    (code) => code === 0,
    () => false,
  );
  return (await works) ? PREFIX : [];
}
