import type { CommandChanges, CommandOutcome } from '../notes/command-changes.js';
import type { QuickAction, QuickActionName } from '../notes/quick-actions.js';

/** User whom a command can name. */
export interface NamedUser {
  id: number;
  username: string;
}

/** Noteable of the commands before their execution, and the permissions of their author. */
export interface CommandSubject {
  noun: 'issue' | 'merge request';
  state: 'opened' | 'closed' | 'merged';
  title: string;
  labels: readonly string[];
  assignees: readonly NamedUser[];
  milestoneId: number | null;
  dueDate: string | null;
  confidential: boolean;
  discussionLocked: boolean;
  /** Its texts and its state. */
  mayChange: boolean;
  /** Everything else. */
  mayAdminister: boolean;
  /** True if it can be reopened after it was closed. */
  isReopenable: boolean;
}

/** Objects by the names that commands can use. */
export interface CommandNames {
  /** By names in lower case, and by `me`: who can read what the commands are about. */
  people: ReadonlyMap<string, NamedUser>;
  /** Ids by title. */
  milestones: ReadonlyMap<string, number>;
}

/** The subject as the commands so far leave it. */
export interface CommandDraft {
  now: CommandSubject;
  names: CommandNames;
  changes: CommandChanges;
}

/** Changes the draft and answers what it did; null when there is nothing to change. */
export type CommandEffect = (draft: CommandDraft, argument: string) => string | null;
export type CommandEffects = Partial<Record<QuickActionName, CommandEffect>>;

/** Commands of the author; the others require planning permission. */
const OF_AUTHORS: ReadonlySet<QuickActionName> = new Set([
  'close',
  'reopen',
  'title',
  'draft',
  'ready',
]);

/** Commands of everyone who can comment. */
const OF_EVERYBODY: ReadonlySet<QuickActionName> = new Set(['subscribe', 'unsubscribe']);

/**
 * Returns the changes of the commands, in their order, and a sentence about each; changes nothing
 * itself.
 */
export function planCommands(
  actions: readonly QuickAction[],
  subject: CommandSubject,
  { names, effects }: { names: CommandNames; effects: CommandEffects },
): CommandOutcome {
  const draft: CommandDraft = { now: { ...subject }, names, changes: {} };
  const summary = actions.map((action) => {
    const sentence = isAllowed(action.name, subject)
      ? effects[action.name]?.(draft, action.argument)
      : null;
    return sentence ?? `Could not apply ${action.name} command.`;
  });
  return { changes: draft.changes, summary };
}

function isAllowed(name: QuickActionName, { mayChange, mayAdminister }: CommandSubject): boolean {
  if (OF_EVERYBODY.has(name)) return true;
  return OF_AUTHORS.has(name) ? mayChange : mayAdminister;
}

/** The names of commands that have an effect. */
export function commandsOf(effects: CommandEffects): ReadonlySet<QuickActionName> {
  return new Set(Object.keys(effects) as QuickActionName[]);
}
