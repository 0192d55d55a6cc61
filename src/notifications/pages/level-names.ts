import type { NotificationLevel } from '../../workspace/subscriptions/subscription.entity.js';
import { levelName } from '../settings/notification-setting.presenter.js';

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
