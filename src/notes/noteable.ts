/** What notes stand beneath, by the names that v4 clients know. */
export const NOTEABLE_TYPES = { issue: 'Issue', alert: 'AlertManagement::Alert' } as const;
export type NoteableKind = keyof typeof NOTEABLE_TYPES;
export type NoteableType = (typeof NOTEABLE_TYPES)[NoteableKind];

/** The column of `notes` that names what they belong to. */
export const NOTEABLE_COLUMNS = {
  issue: 'issue_id',
  alert: 'alert_id',
} as const satisfies Record<NoteableKind, string>;

/** One thing that has notes. */
export interface Noteable {
  kind: NoteableKind;
  id: number;
  iid: number;
  projectId: number;
}
