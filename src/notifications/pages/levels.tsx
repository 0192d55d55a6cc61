import type { VNode } from 'preact';
import type {
  NotificationKind,
  NotificationTarget,
} from '../../core/activity/notifications.repository.js';
import { Card } from '../../core/ui/components/content.js';
import { Icon } from '../../core/ui/components/icon.js';
import { Cell, Table } from '../../core/ui/components/table.js';
import { Tabs } from '../../core/ui/components/tabs.js';
import {
  NOTIFICATION_LEVELS,
  type NotificationLevel,
} from '../../workspace/subscriptions/notification-levels.js';
import { isNotified, levelRule, type RecipientPart } from '../notification-values.js';
import { levelName } from '../settings/notification-setting.presenter.js';
import { isOfThread } from '../sql/candidates.js';

/** Selectable levels with their own meaning, in their order. */
const OWN_LEVELS = ['watch', 'participating', 'mention', 'custom', 'disabled'] as const;
export type OwnLevel = (typeof OWN_LEVELS)[number];

const TEXTS: Record<OwnLevel, { label: string; hint: string }> = {
  watch: {
    label: 'Watch',
    hint: 'All activity except pushes, due dates and successful pipelines',
  },
  participating: {
    label: 'Participating',
    hint: 'Threads you opened, are assigned to, commented on or are mentioned in',
  },
  mention: {
    label: 'On mention',
    hint: 'Only when someone mentions you or changes your assignments',
  },
  custom: { label: 'Custom', hint: 'Participating plus the events selected below' },
  disabled: { label: 'Disabled', hint: 'Nothing except threads you subscribed to' },
};

interface LevelChoice {
  value: string;
  label: string;
  hint?: string;
}

/** Inherited levels of a group or project without a level of its own. */
export interface Inherited {
  /** Of the nearest group above with a level, null without one. */
  levelAbove: number | null;
  /** Global level. */
  levelEverywhere: number;
}

/** Choices of the global level. */
export function levelChoices(): LevelChoice[] {
  return OWN_LEVELS.map((value) => ({ value, ...TEXTS[value] }));
}

/** Choices for a group or project; the first inherits the level. */
export function containerLevelChoices(inherited: Inherited): LevelChoice[] {
  const above = {
    value: 'global',
    label: inheritedText(inherited),
    hint:
      inherited.levelAbove === null
        ? 'Inherits your global level'
        : 'Inherits the level of a parent group',
  };
  return [above, ...levelChoices()];
}

/** Returns the requested level, or the one in effect for anything else. */
export function previewedLevel(requested: string | null | undefined, inEffect: number): OwnLevel {
  const level = OWN_LEVELS.find((name) => name === requested);
  return level ?? everywhereLevel(inEffect);
}

/** Returns the global level: `global` has no meaning there. */
export function everywhereLevel(level: number): OwnLevel {
  const name = levelName(level);
  return name === 'global' ? 'participating' : name;
}

/** "Global (Watch)", or "Group (Watch)" where a group above decides. */
function inheritedText({ levelAbove, levelEverywhere }: Inherited): string {
  if (levelAbove === null) return `Global (${nameOf(everywhereLevel(levelEverywhere))})`;
  return `Group (${nameOf(levelName(levelAbove))})`;
}

function nameOf(level: NotificationLevel): string {
  return level === 'global' ? 'Global' : TEXTS[level].label;
}

/** Kinds that only subscriptions to labels send, at every level. */
type LabelKind = 'relabel_issue' | 'relabel_merge_request';

type PreviewedKind = Exclude<NotificationKind, LabelKind>;

/** Every other kind of notification with its label and target. */
const KINDS: Record<PreviewedKind, readonly [label: string, target: NotificationTarget]> = {
  new_issue: ['New issue', 'issue'],
  close_issue: ['Issue closed', 'issue'],
  reopen_issue: ['Issue reopened', 'issue'],
  reassign_issue: ['Issue reassigned', 'issue'],
  change_milestone_issue: ['Issue milestone changed', 'issue'],
  issue_due: ['Issue due tomorrow', 'issue'],
  new_note: ['New comment', 'issue'],
  mention_in_issue: ['Mentioned in an edited issue', 'issue'],
  new_merge_request: ['New merge request', 'merge_request'],
  push_to_merge_request: ['Commits pushed', 'merge_request'],
  reassign_merge_request: ['Merge request reassigned', 'merge_request'],
  change_reviewer_merge_request: ['Reviewers changed', 'merge_request'],
  change_milestone_merge_request: ['Merge request milestone changed', 'merge_request'],
  merge_when_pipeline_succeeds: ['Auto-merge enabled', 'merge_request'],
  merge_merge_request: ['Merge request merged', 'merge_request'],
  close_merge_request: ['Merge request closed', 'merge_request'],
  reopen_merge_request: ['Merge request reopened', 'merge_request'],
  mention_in_merge_request: ['Mentioned in an edited merge request', 'merge_request'],
  failed_pipeline: ['Your pipeline failed', 'pipeline'],
  fixed_pipeline: ['Your pipeline was fixed', 'pipeline'],
  success_pipeline: ['Your pipeline passed', 'pipeline'],
  moved_project: ['Project moved (maintainers)', 'project'],
};

const PARTS: { part: RecipientPart; label: string }[] = [
  { part: 'watch', label: 'Not involved' },
  { part: 'participating', label: 'Participating' },
  { part: 'mention', label: 'Mentioned' },
];

interface LevelPreviewProps {
  /** Path of the settings page; `?preview=<level>` shows another level. */
  path: string;
  level: OwnLevel;
  /** Bits of EMAIL_EVENTS. */
  events: number;
  ownActivity: boolean;
}

/** Emails that a level sends, by the rules that the worker applies. */
export function LevelPreview({ path, level, events, ownActivity }: LevelPreviewProps): VNode {
  const hrefOf = (value: string): string => `${path}?preview=${value}#preview`;
  const tabs = levelChoices().map(({ value, label }) => ({ label, href: hrefOf(value) }));
  const columns = [{ label: 'Event' }, ...PARTS.map(({ label }) => ({ label }))];
  const setting = { level: NOTIFICATION_LEVELS[level], events };
  return (
    <div id="preview" class="grid gap-3">
      <h2 class="section-head">Preview</h2>
      <p class="text-muted-foreground">
        Emails at each level: threads you are not involved in, participate in, or are mentioned in
        or reassigned to.{' '}
        {ownActivity ? 'Your own activity is included.' : 'Your own activity is excluded.'}
      </p>
      <Tabs label="Previewed level" items={tabs} current={hrefOf(level)} />
      <Card flush>
        <Table caption="Emails by event" columns={columns}>
          {(Object.keys(KINDS) as PreviewedKind[]).map((kind) => (
            <KindRow key={kind} kind={kind} setting={setting} />
          ))}
        </Table>
      </Card>
    </div>
  );
}

interface KindRowProps {
  kind: PreviewedKind;
  setting: { level: number; events: number };
}

function KindRow({ kind, setting }: KindRowProps): VNode {
  const [label, target] = KINDS[kind];
  const parts = partsOf(kind, target);
  const answerOf = (part: RecipientPart): VNode => (
    <Answer isYes={isNotified(levelRule(kind, part), setting)} />
  );
  return (
    <tr data-kind={kind}>
      <Cell wrap>{label}</Cell>
      {parts.includes('mention') ? (
        PARTS.map(({ part }) => (
          <Cell key={part}>{parts.includes(part) ? answerOf(part) : <Answer isYes={false} />}</Cell>
        ))
      ) : (
        <td colSpan={PARTS.length}>{answerOf('watch')}</td>
      )}
    </tr>
  );
}

/** Parts that recipients of a kind can have. */
function partsOf(kind: NotificationKind, target: NotificationTarget): readonly RecipientPart[] {
  if (isOfThread(kind, target)) return PARTS.map(({ part }) => part);
  return kind.startsWith('mention_') ? ['mention'] : ['watch'];
}

function Answer({ isYes }: { isYes: boolean }): VNode {
  if (!isYes) {
    return (
      <span class="text-muted-foreground">
        <span aria-hidden="true">–</span>
        <span class="sr-only">No email</span>
      </span>
    );
  }
  return (
    <span class="text-success">
      <Icon name="circle-check" />
      <span class="sr-only">Email</span>
    </span>
  );
}
