import { ALERT_SEVERITIES } from '../alert-values.js';
import type { MatcherName } from '../silences/alert-silence.entity.js';

/** SQL expressions of an alert: its project and what silences match. */
export type SilenceableSql = Record<MatcherName | 'project', string>;

const SEVERITY_NAMES = `ARRAY[${ALERT_SEVERITIES.map((name) => `'${name}'`).join(', ')}]`;

/** The word for a severity's number. */
export function severityNameSql(number: string): string {
  return `(${SEVERITY_NAMES})[${number} + 1]`;
}

/** LIKE finds the end of a text without backtracking, so no value takes long to match. */
const PATTERN = String.raw`replace(regexp_replace(m.value, '([\\%_])', '\\\1', 'g'), '*', '%')`;

/** Condition that an active silence of the project matches the alert, by the database's clock. */
export function silencedSql(alert: SilenceableSql): string {
  return `EXISTS (
    SELECT FROM alert_silences sl
    WHERE sl.project_id = ${alert.project} AND sl.starts_at <= now() AND sl.ends_at > now()
      AND NOT EXISTS (
        SELECT FROM jsonb_to_recordset(sl.matchers) AS m (name text, value text, "isEqual" boolean)
        WHERE (coalesce(CASE m.name WHEN 'title' THEN ${alert.title}
          WHEN 'environment' THEN ${alert.environment} WHEN 'severity' THEN ${alert.severity}
          WHEN 'fingerprint' THEN ${alert.fingerprint} END, '') LIKE ${PATTERN}) <> m."isEqual"))`;
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
