import { exitCode } from '../exit-code.js';

const PREFIX = ['setpriv', '--pdeathsig', 'KILL'] as const;

let works: Promise<boolean> | undefined;

/**
 * Command prefix of processes that are to die with this one, even when this is killed: git may
 * compute for hours what nobody will read. Empty where util-linux' setpriv is missing.
 */
export async function dyingWithParent(): Promise<readonly string[]> {
  works ??= exitCode(PREFIX[0], [...PREFIX.slice(1), 'true']).then(
    (code) => code === 0,
    () => false,
  );
  return (await works) ? PREFIX : [];
}
