import type {
  NotificationKind,
  NotificationTarget,
} from '../../src/core/activity/notifications.repository.js';
import { EMAIL_EVENTS, type EmailEvent } from '../../src/notifications/notification-values.js';

/** Levels as the columns of the matrix have them: `custom` with the switch on and with it off. */
export const MATRIX_LEVELS = [
  'watch',
  'participating',
  'mention',
  'custom on',
  'custom off',
  'disabled',
] as const;
export type MatrixLevel = (typeof MATRIX_LEVELS)[number];

/** Relation of a user to the noteable; all of them are Developers, keepers are Maintainers. */
export type Relation =
  | 'uninvolved'
  | 'author'
  | 'assignee'
  | 'reviewer'
  | 'commenter'
  /** Named in the text that is new. */
  | 'mentioned'
  /** Named in the description, or in a comment, from before. */
  | 'mentioned before'
  /** Given the work, or relieved of it, by what the notification is about. */
  | 'added'
  | 'removed'
  | 'subscriber'
  /** Author who does not want to hear of it anymore. */
  | 'unsubscribed author'
  | 'unsubscribed and mentioned'
  /** User who ran the pipeline. */
  | 'runner'
  | 'keeper';

export interface MatrixRow {
  kinds: readonly NotificationKind[];
  targets: readonly NotificationTarget[];
  relation: Relation;
  /** `y` = gets an email, in the order of MATRIX_LEVELS. */
  mails: string;
  reason: string | null;
}

type Cells = Partial<Record<Relation, readonly [mails: string, reason?: string]>>;

function rows(
  kinds: readonly NotificationKind[],
  targets: readonly NotificationTarget[],
  cells: Cells,
): MatrixRow[] {
  return Object.entries(cells).map(([relation, [mails, reason = null]]) => ({
    kinds,
    targets,
    relation: relation as Relation,
    mails,
    reason,
  }));
}

/** Notifies no one by default, but all subscribers. */
const ALWAYS: Cells = { subscriber: ['yyyyyy', 'subscribed'], 'unsubscribed author': ['nnnnnn'] };

const ORDINARY: Cells = {
  ...ALWAYS,
  uninvolved: ['ynnynn'],
  author: ['yynyyn'],
  assignee: ['yynyyn'],
  commenter: ['yynyyn'],
  'mentioned before': ['yynyyn'],
};

/** Of merge requests. */
const REVIEWED: Cells = { reviewer: ['yynyyn'] };

const MENTIONED: Cells = {
  mentioned: ['yyyyyn', 'mentioned'],
  'unsubscribed and mentioned': ['yyyyyn', 'mentioned'],
};

const NOT_WATCHED: Cells = {
  ...ALWAYS,
  uninvolved: ['nnnynn'],
  author: ['nynyyn'],
  assignee: ['nynyyn'],
  commenter: ['nynyyn'],
  'mentioned before': ['nynyyn'],
};

/** There is no switch for it. */
const UNSWITCHED: Cells = { ...ORDINARY, uninvolved: ['ynnnnn'] };

const ONLY_NAMED: Cells = {
  ...MENTIONED,
  uninvolved: ['nnnnnn'],
  author: ['nnnnnn'],
  assignee: ['nnnnnn'],
  subscriber: ['nnnnnn'],
};

const reassigned = (reason: string): Cells => ({
  ...ORDINARY,
  added: ['yyyyyn', reason],
  removed: ['yyyyyn'],
});

/** Recipients of emails by relation and level: the product's rules, cell by cell. */
export const NOTIFICATION_MATRIX: readonly MatrixRow[] = [
  ...rows(['new_note'], ['issue'], { ...ORDINARY, ...MENTIONED }),
  ...rows(['new_note'], ['merge_request'], { ...ORDINARY, ...REVIEWED, ...MENTIONED }),
  ...rows(['new_note'], ['snippet'], {
    ...MENTIONED,
    ...ALWAYS,
    uninvolved: ['ynnynn'],
    author: ['yynyyn'],
    commenter: ['yynyyn'],
  }),
  ...rows(['new_note'], ['commit'], {
    ...MENTIONED,
    subscriber: ['yyyyyy', 'subscribed'],
    uninvolved: ['ynnynn'],
    commenter: ['yynyyn'],
  }),
  ...rows(['new_issue'], ['issue'], {
    ...ORDINARY,
    ...MENTIONED,
    assignee: ['yynyyn', 'assigned'],
    'mentioned before': ['yyyyyn', 'mentioned'],
  }),
  ...rows(['new_merge_request'], ['merge_request'], {
    ...ORDINARY,
    ...MENTIONED,
    assignee: ['yynyyn', 'assigned'],
    reviewer: ['yynyyn', 'review_requested'],
    'mentioned before': ['yyyyyn', 'mentioned'],
  }),
  ...rows(['close_issue', 'reopen_issue'], ['issue'], ORDINARY),
  ...rows(
    [
      'close_merge_request',
      'reopen_merge_request',
      'merge_merge_request',
      'merge_when_pipeline_succeeds',
    ],
    ['merge_request'],
    { ...ORDINARY, ...REVIEWED },
  ),
  ...rows(['reassign_issue'], ['issue'], reassigned('assigned')),
  ...rows(['reassign_merge_request'], ['merge_request'], {
    ...reassigned('assigned'),
    ...REVIEWED,
  }),
  ...rows(['change_reviewer_merge_request'], ['merge_request'], {
    ...reassigned('review_requested'),
    ...REVIEWED,
  }),
  ...rows(['issue_due'], ['issue'], NOT_WATCHED),
  ...rows(['push_to_merge_request'], ['merge_request'], {
    ...NOT_WATCHED,
    reviewer: ['nynyyn'],
  }),
  ...rows(['change_milestone_issue'], ['issue'], UNSWITCHED),
  ...rows(['change_milestone_merge_request'], ['merge_request'], { ...UNSWITCHED, ...REVIEWED }),
  ...rows(['mention_in_issue'], ['issue'], ONLY_NAMED),
  ...rows(['mention_in_merge_request'], ['merge_request'], ONLY_NAMED),
  ...rows(['failed_pipeline', 'fixed_pipeline'], ['pipeline'], {
    uninvolved: ['nnnnnn'],
    runner: ['yynynn'],
  }),
  ...rows(['success_pipeline'], ['pipeline'], { uninvolved: ['nnnnnn'], runner: ['nnnynn'] }),
  ...rows(['moved_project'], ['project'], { uninvolved: ['nnnnnn'], keeper: ['yynynn'] }),
];

/** Switches of `custom` that stand for the kind; all of them for those that have none. */
export function switchesOf(kind: NotificationKind): readonly EmailEvent[] {
  if (kind === 'change_reviewer_merge_request') return ['reassign_merge_request'];
  const own = EMAIL_EVENTS.filter((event) => event === kind);
  return own.length === 0 ? EMAIL_EVENTS : own;
}

/**
 * Returns the other enabled switches; an email about a repaired pipeline also counts as a success.
 */
export function switchesBut(kind: NotificationKind): EmailEvent[] {
  const off = [...switchesOf(kind), ...(kind === 'fixed_pipeline' ? ['success_pipeline'] : [])];
  return EMAIL_EVENTS.filter((event) => !off.includes(event));
}
