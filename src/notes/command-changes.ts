/** What the commands of a comment changed, mostly by the parameters of a PUT that does the same. */
export interface CommandChanges {
  title?: string;
  state_event?: 'close' | 'reopen';
  /** All names that it has now. */
  labels?: string[];
  assignee_ids?: number[];
  /** 0 for none. */
  milestone_id?: number;
  /** @format date */
  due_date?: string | null;
  confidential?: boolean;
  discussion_locked?: boolean;
  /** Whether the author of the comment wants the mails from now on. */
  subscription_event?: 'subscribe' | 'unsubscribe';
}

/** What became of the commands of a comment. */
export interface CommandOutcome {
  changes: CommandChanges;
  /** One sentence for each command, also for those that could not be applied. */
  summary: string[];
}

/** The answer to a comment that has nothing but commands. */
export interface PresentedCommands {
  commands_changes: CommandChanges;
  /**
   * One sentence for each command, also for those that could not be applied.
   * @example ["Closed this issue."]
   */
  summary: string[];
}

/** What became of a comment: its note, null when it had nothing but commands. */
export interface Commented<T> {
  note: T | null;
  commands: CommandOutcome;
}

export const NO_COMMANDS: CommandOutcome = { changes: {}, summary: [] };

/** What became of the commands, as the endpoints of notes show it. */
export function presentCommands({ changes, summary }: CommandOutcome): PresentedCommands {
  return { commands_changes: changes, summary };
}
