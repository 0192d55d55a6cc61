import { Baseline1795900000000 } from './migrations/1795900000000-baseline.js';

/** Every migration in order, named one by one. */
export const MIGRATIONS = [Baseline1795900000000];
