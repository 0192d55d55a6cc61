/** Changes of a comment's commands, mostly as the parameters of a PUT with the same effect. */
export interface CommandChanges {
  title?: string;
  state_event?: 'close' | 'reopen';
  /** All labels after the change. */
  labels?: string[];
  assignee_ids?: number[];
  /** 0 for none. */
  milestone_id?: number;
  /** @format date */
  due_date?: string | null;
  confidential?: boolean;
  discussion_locked?: boolean;
  /** Subscribes the author of the comment, or unsubscribes them. */
  subscription_event?: 'subscribe' | 'unsubscribe';
}

/** Outcome of a comment's commands. */
export interface CommandOutcome {
  changes: CommandChanges;
  /** One sentence per quick action, including those that could not be applied. */
  summary: string[];
}

/** Response to a comment of quick actions only. */
export interface CommandsResponse {
  commands_changes: CommandChanges;
  /**
   * One sentence per quick action, including those that could not be applied.
   * @example ["Closed this issue."]
   */
  summary: string[];
}

/** Result of a comment: its note, or null if it had nothing but commands. */
export interface Commented<T> {
  note: T | null;
  commands: CommandOutcome;
}

export const NO_COMMANDS: CommandOutcome = { changes: {}, summary: [] };

/** Returns the outcome of the commands for the endpoints of notes. */
export function presentCommands({ changes, summary }: CommandOutcome): CommandsResponse {
  return { commands_changes: changes, summary };
}
