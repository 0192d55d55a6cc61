import { ALL_FAILPOINTS } from '../../../src/storage-moves/worker/move-checkpoints.service.js';
import type { Crash, Victim } from './crash-run.js';
import { type CrashPlan, crashTests } from './crash-suite.js';

/** Points that only some other course of events passes. */
const ELSEWHERE = /^(failure|withdraw|janitor)\.|^trash\.(before|after)-delete$/;

const ORDINARY_MOVE: CrashPlan = {
  prepare: (fleet, { point }) => fleet.schedule({ bulk: point.startsWith('feed.') }),
};

/** A test for every victim at every point that an ordinary move passes. */
export function ordinaryCrashTests(victims: readonly Victim[]): void {
  const points = ALL_FAILPOINTS.filter((point) => !ELSEWHERE.test(point));
  const cases: Crash[] = points.flatMap((point) => victims.map((victim) => ({ victim, point })));
  crashTests(cases, ORDINARY_MOVE);
}
