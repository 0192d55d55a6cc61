import { allOf, anyOf, type Conditions } from '../../core/sql/conditions.js';
import { ALERT_SEVERITIES } from '../alert-values.js';
import type { Matcher, MatcherName } from '../silences/alert-silences.repository.js';

/** SQL expressions of an alert: its project and what silences match. */
export type SilenceableSql = Record<MatcherName | 'project', string>;

const SEVERITY_NAMES = `ARRAY[${ALERT_SEVERITIES.map((name) => `'${name}'`).join(', ')}]`;

/** The word for a severity's number. */
export function severityNameSql(number: string): string {
  return `(${SEVERITY_NAMES})[${number} + 1]`;
}

/**
 * Condition that an active silence of the project matches the alert, by the database's clock. LIKE
 * finds the end of a text without backtracking, so no pattern takes long to match.
 */
export function silencedSql(alert: SilenceableSql): string {
  return `EXISTS (
    SELECT FROM alert_silences sl
    WHERE sl.project_id = ${alert.project} AND sl.starts_at <= now() AND sl.ends_at > now()
      AND NOT EXISTS (
        SELECT FROM jsonb_to_recordset(sl.matchers) AS m (name text, pattern text, "isEqual" boolean)
        WHERE (coalesce(CASE m.name WHEN 'title' THEN ${alert.title}
          WHEN 'environment' THEN ${alert.environment} WHEN 'severity' THEN ${alert.severity}
          WHEN 'fingerprint' THEN ${alert.fingerprint} END, '') LIKE m.pattern) <> m."isEqual"))`;
}

/** The same for a stored alert, `alerts a`. */
export const STORED_SILENCED_SQL = silencedSql({
  project: 'a.project_id',
  title: 'a.title',
  environment: `(SELECT se.name FROM environments se
    WHERE se.id = a.environment_id AND se.project_id = a.project_id)`,
  severity: severityNameSql('a.severity'),
  fingerprint: `encode(a.fingerprint, 'hex')`,
});

/**
 * The same for many stored alerts of one project, whose active silences were read before: each
 * pattern is a value of the statement, and environments are looked up once for all alerts.
 */
export function silencedBySql(
  where: Conditions,
  project: string,
  silences: readonly (readonly Matcher[])[],
): string {
  return anyOf(
    ...silences.map((matchers) =>
      allOf(
        ...matchers.map(({ name, pattern, isEqual }) => {
          const matches = MATCHES[name](where.value(pattern), project);
          return isEqual ? matches : `NOT (${matches})`;
        }),
      ),
    ),
  );
}

const MATCHES: Record<MatcherName, (pattern: string, project: string) => string> = {
  title: (pattern) => `a.title LIKE ${pattern}`,
  environment: (pattern, project) => `CASE WHEN a.environment_id IS NULL THEN '' LIKE ${pattern}
    ELSE a.environment_id = ANY(ARRAY(SELECT se.id FROM environments se
      WHERE se.project_id = ${project} AND se.name LIKE ${pattern})) END`,
  severity: (pattern) => `${severityNameSql('a.severity')} LIKE ${pattern}`,
  fingerprint: (pattern) => `coalesce(encode(a.fingerprint, 'hex'), '') LIKE ${pattern}`,
};
