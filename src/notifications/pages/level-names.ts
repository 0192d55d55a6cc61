import { levelName } from '../settings/notification-setting.presenter.js';
import {
  NOTIFICATION_LEVELS,
  type NotificationLevel,
} from '../../workspace/subscriptions/notification-levels.js';

/** Selectable levels with their own meaning, in their order. */
const OWN_LEVELS = ['watch', 'participating', 'mention', 'custom', 'disabled'] as const;
type OwnLevel = (typeof OWN_LEVELS)[number];

const TEXTS: Record<OwnLevel, { label: string; hint: string }> = {
  watch: {
    label: 'Watch',
    hint: 'Nearly everything that happens, but no pushes, due dates and successful pipelines.',
  },
  participating: {
    label: 'Participating',
    hint: 'What you opened, are assigned to, commented on or are mentioned in.',
  },
  mention: { label: 'On mention', hint: 'Only when someone mentions you.' },
  custom: { label: 'Custom', hint: 'As with “Participating”, and what you choose below.' },
  disabled: { label: 'Disabled', hint: 'Nothing, except what you subscribed to.' },
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

/** Levels to choose from where no group or project is meant. */
export function levelChoices(): LevelChoice[] {
  return OWN_LEVELS.map((value) => ({ value, ...TEXTS[value] }));
}

/** Levels of a group or project: the first leaves it to what stands above. */
export function containerLevelChoices(inherited: Inherited): LevelChoice[] {
  const above = {
    value: 'global',
    label: inheritedText(inherited),
    hint:
      inherited.levelAbove === null
        ? 'What you chose for everything else.'
        : 'What you chose for a group above.',
  };
  return [above, ...levelChoices()];
}

/** Returns the global level: `global` has no meaning there. */
export function everywhereLevel(level: number): NotificationLevel {
  return level === NOTIFICATION_LEVELS.global ? 'participating' : levelName(level);
}

/** "Global (Watch)", or "Group (Watch)" where a group above decides. */
function inheritedText({ levelAbove, levelEverywhere }: Inherited): string {
  if (levelAbove === null) return `Global (${nameOf(everywhereLevel(levelEverywhere))})`;
  return `Group (${nameOf(levelName(levelAbove))})`;
}

function nameOf(level: NotificationLevel): string {
  return level === 'global' ? 'Global' : TEXTS[level].label;
}
