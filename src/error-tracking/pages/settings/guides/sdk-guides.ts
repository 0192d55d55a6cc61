import { COMPILED_GUIDES } from './compiled-guides.js';
import { JAVASCRIPT_GUIDES } from './javascript-guides.js';
import { SCRIPTING_GUIDES } from './scripting-guides.js';
import type { SdkGuide } from './sdk-guide.js';
import { SHELL_GUIDE } from './shell-guide.js';

/** All of them, in the order in which they are offered. */
export const SDK_GUIDES: readonly [SdkGuide, ...SdkGuide[]] = [
  ...(JAVASCRIPT_GUIDES as [SdkGuide, ...SdkGuide[]]),
  ...SCRIPTING_GUIDES,
  ...COMPILED_GUIDES,
  SHELL_GUIDE,
];

/** The guide that an address names, or the first one. */
export function guideNamed(name: unknown): SdkGuide {
  return SDK_GUIDES.find((guide) => guide.name === name) ?? SDK_GUIDES[0];
}
