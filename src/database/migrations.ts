import { Baseline1795900000000 } from './migrations/1795900000000-baseline.js';
import { MergeRequestSpam1795910000000 } from './migrations/1795910000000-merge-request-spam.js';

/** Every migration in order, named one by one. */
export const MIGRATIONS = [Baseline1795900000000, MergeRequestSpam1795910000000];
