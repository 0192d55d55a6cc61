/** Time spans of the list's chart, as values of the parameter `activity`. */
export const ACTIVITY_SPANS = ['day', 'month'] as const;
export type ActivitySpan = (typeof ACTIVITY_SPANS)[number];
