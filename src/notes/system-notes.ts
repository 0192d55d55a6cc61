/** Runs one statement, of a transaction as a rule: `tx.query` and that of `Sql.transaction` fit. */
export type RunStatement = (text: string, values: unknown[]) => Promise<unknown>;

/** What the server notes about a change; exactly one of the ids is given. */
export interface SystemNote {
  issueId?: number;
  alertId?: number;
  mergeRequestId?: number;
  authorId: number;
  /** Markdown. */
  body: string;
}

const INSERT_SQL = `
  INSERT INTO notes (issue_id, alert_id, merge_request_id, author_id, body, system)
  SELECT issue_id, alert_id, merge_request_id, author_id, body, true
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[])
    WITH ORDINALITY AS n (issue_id, alert_id, merge_request_id, author_id, body, position)
  ORDER BY position`;

/** Writes them in their order, by one statement. */
export async function writeSystemNotes(
  run: RunStatement,
  notes: readonly SystemNote[],
): Promise<void> {
  if (notes.length === 0) return;
  await run(INSERT_SQL, [
    notes.map(({ issueId }) => issueId ?? null),
    notes.map(({ alertId }) => alertId ?? null),
    notes.map(({ mergeRequestId }) => mergeRequestId ?? null),
    notes.map(({ authorId }) => authorId),
    notes.map(({ body }) => body),
  ]);
}
