import { describe, expect, it } from '@jest/globals';
import { prometheusSeverity, plainSeverity } from './alert-attributes.js';

describe('plainSeverity', () => {
  it.each(['critical', 'high', 'medium', 'low', 'info', 'unknown'])('knows %s', (word) => {
    expect(plainSeverity(word)).toBe(word);
    expect(plainSeverity(word.toUpperCase())).toBe(word);
  });

  it.each(['blocker', 'p1', 's2', 'warning', '', ' high', 5, null, undefined, ['high'], {}])(
    'takes %p for critical',
    (value) => {
      expect(plainSeverity(value)).toBe('critical');
    },
  );
});

describe('prometheusSeverity', () => {
  const TABLE: Record<string, string> = {
    critical: 'critical s1 p1 emergency fatal',
    high: 'high s2 p2 major page',
    medium: 'medium s3 p3 error alert',
    low: 'low s4 p4 warn warning',
    info: 'info s5 p5 debug information notice',
  };
  const rows = Object.entries(TABLE).flatMap(([severity, words]) =>
    words.split(' ').map((word) => [word, severity]),
  );

  it.each(rows)('takes %s for %s', (word, severity) => {
    expect(prometheusSeverity(word)).toBe(severity);
    expect(prometheusSeverity(word.toUpperCase())).toBe(severity);
  });

  it.each(['unknown', 'minor', 'constructor', '', 2, null, undefined, 'x'.repeat(1000)])(
    'takes %p for critical',
    (value) => {
      expect(prometheusSeverity(value)).toBe('critical');
    },
  );
});
