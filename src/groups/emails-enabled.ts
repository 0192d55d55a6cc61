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
