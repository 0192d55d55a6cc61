/** GUILDHALL_FAULTS=smoke: only every so manieth kill or row. */
const SMOKE_STEP = 12;

const IS_SMOKE = process.env['GUILDHALL_FAULTS'] === 'smoke';

/** Returns the number of kills or rows: fewer in a smoke run. */
export function scaled(full: number): number {
  return IS_SMOKE ? Math.max(2, Math.ceil(full / SMOKE_STEP)) : full;
}
