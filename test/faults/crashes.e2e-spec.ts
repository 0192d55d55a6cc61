import { describe } from '@jest/globals';
import { ALL_FAILPOINTS } from '../../src/storage-moves/worker/move-checkpoints.service.js';
import { VICTIMS } from './support/crash-run.js';
import { crashTests } from './support/crash-suite.js';

/** Points that only some other course of events passes. */
const ELSEWHERE = /^(failure|withdraw|janitor)\.|^trash\.(before|after)-delete$/;
const POINTS = ALL_FAILPOINTS.filter((point) => !ELSEWHERE.test(point));
const CASES = POINTS.flatMap((point) => VICTIMS.map((victim) => ({ victim, point })));

describe('a move survives kill -9', () => {
  crashTests(CASES, {
    prepare: (fleet, { point }) => fleet.schedule({ bulk: point.startsWith('feed.') }),
  });
});
