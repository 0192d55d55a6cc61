/** Whether anybody gets mails about a project or group, in both forms of the parameter. */
interface EmailParameters {
  emails_enabled?: boolean | null;
  emails_disabled?: boolean | null;
}

/** What the parameters ask for; the newer one wins, undefined when neither is given. */
export function emailsEnabledOf(dto: EmailParameters): boolean | undefined {
  const former = dto.emails_disabled == null ? undefined : !dto.emails_disabled;
  return dto.emails_enabled ?? former;
}

/**
 * SQL for "neither the namespace whose id is the SQL expression `namespaceId` nor any group above
 * it has turned mails off".
 */
export function sendsMailsSql(namespaceId: string): string {
  return `NOT EXISTS (SELECT FROM namespaces place
    JOIN groups silent ON silent.id = ANY(place.traversal_ids)
    WHERE place.id = ${namespaceId} AND NOT silent.emails_enabled)`;
}
