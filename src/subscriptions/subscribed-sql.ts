/** Whose subscription to what, as SQL. */
export interface Subscriber {
  /** Alias of the table of issues or merge requests. */
  row: string;
  /** Their id. */
  userId: string;
  /** Whether they may read internal notes. */
  seesInternalNotes: string;
}

/** Whether somebody gets the mails of an issue: their decision, otherwise whether they take part. */
export function subscribedToIssueSql(subscriber: Subscriber): string {
  const { row, userId } = subscriber;
  return subscribedSql('issue_id', {
    ...subscriber,
    works: `EXISTS (SELECT FROM issue_assignees a
      WHERE a.issue_id = ${row}.id AND a.user_id = ${userId})`,
  });
}

/** The same of a merge request. */
export function subscribedToMergeRequestSql(subscriber: Subscriber): string {
  const { row, userId } = subscriber;
  return subscribedSql('merge_request_id', {
    ...subscriber,
    works: `EXISTS (SELECT FROM merge_request_people a
      WHERE a.merge_request_id = ${row}.id AND a.user_id = ${userId})`,
  });
}

/** Taking part is being its author, working on it, having commented and being named. */
function subscribedSql(
  column: 'issue_id' | 'merge_request_id',
  { row, userId, seesInternalNotes, works }: Subscriber & { works: string },
): string {
  const comments = `c.${column} = ${row}.id AND NOT c.system
    AND (NOT c.internal OR ${seesInternalNotes})`;
  return `coalesce(
    (SELECT s.subscribed FROM subscriptions s
     WHERE s.${column} = ${row}.id AND s.user_id = ${userId}),
    ${row}.author_id = ${userId} OR ${works}
      OR EXISTS (SELECT FROM notes c WHERE ${comments} AND c.author_id = ${userId})
      OR EXISTS (SELECT FROM mentions d
        WHERE d.${column} = ${row}.id AND d.user_id = ${userId})
      OR EXISTS (SELECT FROM mentions d JOIN notes c ON c.id = d.note_id
        WHERE ${comments} AND d.user_id = ${userId}))`;
}
