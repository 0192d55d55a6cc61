import type { CommandChanges, CommandOutcome } from '../notes/command-changes.js';
import type { QuickAction, QuickActionName } from '../notes/quick-actions.js';

/** Someone whom a command may name. */
export interface NamedUser {
  id: number;
  username: string;
}

/** What commands are about, as it is before them, and what their author may do. */
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
  /** Whether it can be opened again once it is closed. */
  isReopenable: boolean;
}

/** What the names of commands stand for; what is missing here cannot be meant. */
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

/** What authors may change; the rest takes the right to plan the work. */
const OF_AUTHORS: ReadonlySet<QuickActionName> = new Set([
  'close',
  'reopen',
  'title',
  'draft',
  'ready',
]);

/** What whoever may comment decides for themselves. */
const OF_EVERYBODY: ReadonlySet<QuickActionName> = new Set(['subscribe', 'unsubscribe']);

/** What the commands change, in their order, and a sentence about each; changes nothing itself. */
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
