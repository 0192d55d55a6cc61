import { Foundation1795200000000 } from './migrations/1795200000000-foundation.js';

/** Every migration in order, named one by one. */
export const MIGRATIONS = [Foundation1795200000000];
