import { COMMON_EFFECTS, retitle } from '../issues/command-effects.js';
import type { CommandEffects } from '../issues/command-plan.js';
import { draftTitle, readyTitle } from './drafts.js';

/** Effects of commands on merge requests. */
export const MERGE_REQUEST_EFFECTS: CommandEffects = {
  ...COMMON_EFFECTS,
  draft: (draft) =>
    retitle(draft, draftTitle(draft.now.title), 'Marked this merge request as a draft.'),
  ready: (draft) =>
    retitle(draft, readyTitle(draft.now.title), 'Marked this merge request as ready.'),
};
