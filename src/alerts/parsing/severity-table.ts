import type { AlertSeverity } from '../alert-values.js';

/** Words of the plain format (API doc, Alert, plain HTTP endpoint). */
const PLAIN_WORDS: Partial<Record<AlertSeverity, string[]>> = {
  critical: ['critical'],
  high: ['high'],
  medium: ['medium'],
  low: ['low'],
  info: ['info'],
  unknown: ['unknown'],
};

/** Words of the label `severity` (API doc, Severity mapping). */
const MONITORING_WORDS: Partial<Record<AlertSeverity, string[]>> = {
  critical: ['critical', 's1', 'p1', 'emergency', 'fatal'],
  high: ['high', 's2', 'p2', 'major', 'page'],
  medium: ['medium', 's3', 'p3', 'error', 'alert'],
  low: ['low', 's4', 'p4', 'warn', 'warning'],
  info: ['info', 's5', 'p5', 'debug', 'information', 'notice'],
};

const LONGEST_WORD = 'information'.length;

const PLAIN = byWord(PLAIN_WORDS);
const MONITORING = byWord(MONITORING_WORDS);

/** Severity of a plain payload, in any case of letters; critical when missing or not listed. */
export function plainSeverity(value: unknown): AlertSeverity {
  return lookUp(PLAIN, value);
}

/** Severity of a monitoring payload's label; critical when missing or not listed. */
export function monitoringSeverity(value: unknown): AlertSeverity {
  return lookUp(MONITORING, value);
}

function lookUp(table: ReadonlyMap<string, AlertSeverity>, value: unknown): AlertSeverity {
  if (typeof value !== 'string' || value.length > LONGEST_WORD) return 'critical';
  return table.get(value.toLowerCase()) ?? 'critical';
}

function byWord(words: Partial<Record<AlertSeverity, string[]>>): Map<string, AlertSeverity> {
  const severities = Object.keys(words) as AlertSeverity[];
  return new Map(
    severities.flatMap((severity) =>
      (words[severity] ?? []).map((word): [string, AlertSeverity] => [word, severity]),
    ),
  );
}
