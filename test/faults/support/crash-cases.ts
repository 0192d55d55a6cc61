import { ALL_FAILPOINTS } from '../../../src/storage-moves/engine/failpoints.js';
import type { Crash, Victim } from './crash-run.js';
import { type CrashPlan, crashTests } from './crash-suite.js';

/** Points that only some other course of events passes. */
const ELSEWHERE = /^(failure|withdraw|janitor)\.|^trash\.(before|after)-delete$/;

/** Points passed several times, when some repositories are through and others are not. */
const LATER = [
  'repository.after-copy:3',
  'repository.after-publish:2',
  'publish.after-rename:4',
  'trash.after-rename:2',
];

const ORDINARY_MOVE: CrashPlan = {
  prepare: (fleet, { point }) => fleet.schedule({ bulk: point.startsWith('schedule.') }),
};

/** A test for every victim at every point that an ordinary move passes. */
export function ordinaryCrashTests(victims: readonly Victim[]): void {
  const points = [...ALL_FAILPOINTS.filter((point) => !ELSEWHERE.test(point)), ...LATER];
  const cases: Crash[] = points.flatMap((point) => victims.map((victim) => ({ victim, point })));
  crashTests(cases, ORDINARY_MOVE);
}
