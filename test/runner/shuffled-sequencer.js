import { createHash } from 'node:crypto';
import TestSequencer from '@jest/test-sequencer';

// Its types describe the CommonJS build, Node loads the ES module.
const Sequencer = /** @type {typeof TestSequencer.default} */ (
  /** @type {unknown} */ (TestSequencer)
);

/**
 * Runs the files in an order drawn from jest's seed, so that a file that needs another one to run
 * before it is found: `npm test -- --testSequencer ./test/runner/shuffled-sequencer.js --seed 7`.
 */
export default class ShuffledSequencer extends Sequencer {
  /** @param {import('@jest/test-sequencer').TestSequencerOptions} options */
  constructor(options) {
    super(options);
    this.seed = options.globalConfig.seed;
  }

  /**
   * @override
   * @param {import('@jest/test-result').Test[]} tests
   */
  sort(tests) {
    /** @param {import('@jest/test-result').Test} test */
    const rank = ({ path }) => createHash('sha256').update(`${this.seed} ${path}`).digest('hex');
    return [...tests].sort((a, b) => rank(a).localeCompare(rank(b)));
  }
}
