import { describe } from '@jest/globals';
import { ordinaryCrashTests } from './support/crash-cases.js';

describe('a move survives kill -9', () => {
  ordinaryCrashTests(['database', 'queue']);
});
